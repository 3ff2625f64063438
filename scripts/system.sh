#!/bin/sh
# Makes sure that the system packages of a purpose are there: "build" for the
# window, "test" for what the tests need besides, "bench" for what Drover is measured
# against. On Debian and Ubuntu it installs them (asking first, unless root or
# YES=1); elsewhere it says what to install.
set -eu

build="gcc pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev"
test="$build xvfb xdotool imagemagick chromium zsh fish tmux procps vim less htop mc asciinema"
bench="$test alacritty kitty libgl1-mesa-dri make g++ python3"
case "${1:-}" in
build) wanted=$build ;;
test) wanted=$test ;;
bench) wanted=$bench ;;
*) echo "usage: $0 build|test|bench" >&2; exit 2 ;;
esac

case "$(uname -s)" in
Darwin)
	xcode-select -p >/dev/null 2>&1 || { echo "Install Apple's command line tools first: xcode-select --install" >&2; exit 1; }
	exit 0
	;;
Linux) ;;
*) exit 0 ;; # Windows needs nothing but its own WebView2
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
	if pkg-config --exists gtk+-3.0 webkit2gtk-4.1 2>/dev/null; then
		exit 0
	fi
	cat >&2 <<-TEXT
	Drover's window needs a C compiler, pkg-config, and the development files of GTK 3 and WebKitGTK 4.1.
	  Fedora:   sudo dnf install gcc pkgconf-pkg-config gtk3-devel webkit2gtk4.1-devel
	  Arch:     sudo pacman -S gcc pkgconf gtk3 webkit2gtk-4.1
	  openSUSE: sudo zypper install gcc pkgconf-pkg-config gtk3-devel webkit2gtk3-devel
	Its tests also need: Xvfb, xdotool, ImageMagick, Chromium, zsh, fish, tmux, vim, less, htop, mc, asciinema.
	TEXT
	exit 1
fi

missing=""
for p in $wanted; do
	dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q "ok installed" || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
	sudo="sudo"
	if [ "${YES:-}" != 1 ]; then
		if [ ! -t 0 ]; then
			echo "Missing packages. Install them, or run again with YES=1: sudo apt-get install$missing" >&2
			exit 1
		fi
		printf 'Install these packages with apt?%s [y/N] ' "$missing"
		read -r answer
		[ "$answer" = y ] || { echo "Then install them yourself: sudo apt-get install$missing" >&2; exit 1; }
	fi
fi
echo "Installing:$missing"
# A list of packages may be old or missing: it is fetched only if the first try fails.
install() { DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing </dev/null; }
install >/dev/null 2>&1 || { $sudo apt-get update -qq; install; }
