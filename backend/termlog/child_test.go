package termlog_test

func child(what string) {}
