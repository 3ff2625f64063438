# Drover's shell integration for PowerShell 7: OSC 7 and OSC 133.
# NOT TESTED: no PowerShell was at hand where this was written.
# It is dot-sourced by -NoExit -Command, after the user's profiles.

if (-not $global:__drover_prompt -and "$function:prompt" -notlike '*133;*') {
    $global:__drover_prompt = $function:prompt
    $global:__drover_last = (Get-History -Count 1).Id

    function global:prompt {
        $ok, $native = $global:?, $global:LASTEXITCODE
        Set-StrictMode -Off
        $marks = ''
        $last = (Get-History -Count 1).Id
        if ($last -ne $global:__drover_last) {
            $code = if ($ok) { 0 } elseif ($native) { $native } else { 1 }
            $marks = "`e]133;D;$code`a"
        }
        $global:__drover_last = $last
        if ($PWD.Provider.Name -eq 'FileSystem') {
            $path = ($PWD.ProviderPath -replace '\\', '/' -split '/' | ForEach-Object { [Uri]::EscapeDataString($_) }) -join '/'
            $marks += "`e]7;file://$([Environment]::MachineName)/$($path.TrimStart('/'))`a"
        }
        $marks += "`e]133;A`a"
        $global:LASTEXITCODE = $native
        if (-not $ok) { Write-Error '' -ErrorAction Ignore } # the user's prompt sees $? as it was
        $marks + (& $global:__drover_prompt) + "`e]133;B`a"
    }

    # PSReadLine hands over the line that is about to run.
    if (Get-Module PSReadLine) {
        $global:__drover_readline = $function:PSConsoleHostReadLine
        function global:PSConsoleHostReadLine {
            $line = & $global:__drover_readline
            if ($line.Trim()) { [Console]::Write("`e]133;C`a") }
            $line
        }
    }
}
