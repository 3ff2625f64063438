package rpc

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
)

// methods are those of bound structs by name, as Wails has them in the window.
type methods map[string]reflect.Value

func methodsOf(bound []any) methods {
	d := methods{}
	for _, b := range bound {
		v := reflect.ValueOf(b)
		for i := range v.NumMethod() {
			d[v.Type().Elem().Name()+"."+v.Type().Method(i).Name] = v.Method(i)
		}
	}
	return d
}

// call runs a method with JSON arguments. A panic in it is an error here: one
// page's call must not end the app.
func (d methods) call(method string, args []json.RawMessage) (result any, err error) {
	f, ok := d[method]
	if !ok {
		return nil, fmt.Errorf("cannot call %s: this version of Drover does not have it", method)
	}
	t := f.Type()
	if len(args) != t.NumIn() {
		return nil, fmt.Errorf("cannot call %s: it takes %d arguments, not %d", method, t.NumIn(), len(args))
	}
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		v := reflect.New(t.In(i))
		if err := json.Unmarshal(arg, v.Interface()); err != nil {
			return nil, fmt.Errorf("cannot call %s: argument %d: %s", method, i+1, strings.TrimPrefix(err.Error(), "json: "))
		}
		in[i] = v.Elem()
	}
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, &panicError{method, p, debug.Stack()}
		}
	}()
	for _, out := range f.Call(in) {
		if out.Type() == reflect.TypeFor[error]() {
			if !out.IsNil() {
				err = out.Interface().(error)
			}
			continue
		}
		result = out.Interface()
	}
	return result, err
}

// panicError is a bug in a method. Its text is for a person; the stack goes to
// the log.
type panicError struct {
	method string
	value  any
	stack  []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("cannot finish %s: a fault in Drover (%v); the log has more", e.method, e.value)
}
