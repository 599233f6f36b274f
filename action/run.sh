#!/usr/bin/env bash
# What action.yml runs: installs errspec from this checkout, then runs validate, check
# and breaking, each of them also where one before it has findings. Whatever a pull
# request can choose, such as the name of a branch, comes as a variable and is quoted.
set -euo pipefail
unset CDPATH

fail() { # an annotation; its texts are our own
  echo "::error title=errspec::$1"
  exit 2
}

workspace=$PWD
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
config=${ERRSPEC_CONFIG:-errspec.yaml}
[[ -f $config && ${config##*/} == errspec.yaml ]] ||
  fail "the input config names no errspec.yaml"

venv=${RUNNER_TEMP:?}/errspec-$(cksum <<<"$here" | cut -d ' ' -f 1)
if [[ ! -e $venv/installed ]]; then
  cd -- "$here" # Python looks for modules in the current folder: not in the workspace
  "${ERRSPEC_PYTHON:-python3}" -m venv "$venv"
  python=$venv/bin/python
  [[ -e $python ]] || python=$venv/Scripts/python.exe
  "$python" -m pip install --quiet --disable-pip-version-check "$here"
  : >"$venv/installed"
  cd -- "$workspace"
fi
errspec=$venv/bin/errspec
[[ -e $errspec ]] || errspec=$venv/Scripts/errspec.exe

against=${ERRSPEC_AGAINST-}
if [[ ${ERRSPEC_BREAKING:-true} != true ]]; then
  against=
elif [[ -z $against && -n ${GITHUB_BASE_REF-} ]]; then
  against=refs/remotes/origin/$GITHUB_BASE_REF
  if ! git rev-parse --quiet --verify --end-of-options "$against^{commit}" >/dev/null; then
    depth=() # a clone that has its whole history keeps it
    [[ $(git rev-parse --is-shallow-repository) == false ]] || depth=(--depth=1)
    git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin \
      "+refs/heads/$GITHUB_BASE_REF:$against" ||
      fail "the base of this pull request cannot be fetched; give actions/checkout fetch-depth: 0"
  fi
fi

sarif=
if [[ -n ${ERRSPEC_SARIF-} ]]; then
  mkdir -p -- "$ERRSPEC_SARIF" || fail "the input sarif names no folder"
  sarif=$(cd -- "$ERRSPEC_SARIF" && pwd)
fi

status=0
run() {
  local code=0 formats=(--format text --format github)
  [[ -z $sarif ]] || formats+=(--format "sarif=$sarif/$1.sarif")
  "$errspec" "$@" "${formats[@]}" || code=$?
  ((code <= status)) || status=$code
}

cd -- "$(dirname -- "$config")"
run validate
run check
[[ -z $against ]] || run breaking --against="$against"
exit "$status"
