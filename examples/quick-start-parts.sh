# What the scripts that try a quick start share: they type the blocks of a page into a new project in a temporary directory,
# which takes Semel from a repository of its own, so that nothing is left behind. To be read with "." by sh -eu.
# SEMEL_REPOSITORY names a directory with a staged release (see RELEASING.md), to try that one instead of this checkout.
# shellcheck shell=sh

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
project=$work/project
repository=${SEMEL_REPOSITORY:-$work/repository}
service=
helpers=
# Arguments for every build, such as -o.
maven=${1-}

finish() {
    for process in $service $helpers; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The lines of a code block of page $1, in its section $2, which ends with the next heading: of those in language $3, the $4-th.
# Pages name the release; what is tried is this checkout, or what is staged.
typed() {
    awk -v section="$2" -v start="\`\`\`$3" -v nth="$4" '
        !fenced && /^##? / { here = $0 == section }
        /^```/ { fenced = !fenced; inside = fenced && $0 == start && here && ++seen == nth; next }
        inside' "$root/$1" | sed "/dev\.semel/s|<version>[^<]*</version>|<version>$(semel)</version>|"
}

# The version of this checkout.
checkout() {
    sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$root/pom.xml"
}

# The version that the project takes.
semel() {
    if [ -n "${SEMEL_REPOSITORY-}" ]; then
        ls "$repository/dev/semel/semel-bom"
    else
        checkout
    fi
}

# The version that the root POM names for property $1.
version() {
    sed -n "s:.*<$1.version>\(.*\)</$1.version>.*:\1:p" "$root/pom.xml"
}

# Builds the modules $1, and what they need, into the repository of the project. A staged release has them.
deploy() {
    [ -z "${SEMEL_REPOSITORY-}" ] || return 0
    # shellcheck disable=SC2086
    (cd "$root" && ./mvnw -B -q --no-transfer-progress $maven -Dfast -pl "$1" -am deploy \
        -Dmaven.install.skip -DaltDeploymentRepository="local::file://$repository")
}

# Writes a POM whose dependencies are read from the standard input; $1 is written between them and the end.
pom() {
    mkdir -p "$project/src/main/java/com/example" "$project/src/main/resources"
    cat >"$project/pom.xml" <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>payments</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <maven.compiler.parameters>true</maven.compiler.parameters>
  </properties>
  <repositories>
    <repository><id>local</id><url>file://$repository</url></repository>
  </repositories>
  <dependencies>
    $(cat)
  </dependencies>
  ${1-}
</project>
END
}

# A dependency on artifact $2 of group $1, in version $3.
dependency() {
    echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version></dependency>"
}

# The import of the BOM $2 of group $1, in version $3.
bom() {
    echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version>
      <type>pom</type><scope>import</scope></dependency>"
}

# Runs Maven on the project with these arguments. What this machine has already is read; what is newly resolved, and that is
# Semel, does not go there.
build() {
    # shellcheck disable=SC2086
    (cd "$project" && "$root/mvnw" -B -q --no-transfer-progress $maven "$@" \
        -Dmaven.repo.local="$work/m2" -Dmaven.repo.local.tail="${HOME}/.m2/repository" -Daether.offline.protocols=file)
}

# Compiles the project.
compile() {
    build compile dependency:build-classpath -Dmdep.outputFile=classpath
}

# Becomes the class com.example.$1 of the project, with the other arguments.
become() {
    class=$1
    shift
    exec java -cp "$project/target/classes:$(cat "$project/classpath")" "com.example.$class" "$@"
}

# Runs the class com.example.$1 of the project with the other arguments.
run() {
    (become "$@")
}

# Starts the class com.example.$1 with the other arguments, as the service.
start() {
    become "$@" >"$work/service.log" 2>&1 &
    service=$!
}

# Starts the class com.example.$1 with the other arguments, as something that the service needs.
beside() {
    become "$@" >"$work/beside.log" 2>&1 &
    helpers="$helpers $!"
}

# Repeats a command until it succeeds, for as long as the service lives; prints what it printed then.
attempt() {
    tries=0
    until answer=$("$@"); do
        tries=$((tries + 1))
        if [ "$tries" -gt 60 ] || ! kill -0 "$service" 2>/dev/null; then
            cat "$work"/*.log >&2
            exit 1
        fi
        sleep 1
    done
    echo "$answer"
}

# A port that is likely to be free.
port=$((20000 + $$ % 20000))

# Pays twice with curl at the address $1, and compares the receipts.
pay_twice() {
    pay() {
        curl -s -i "$1" -H 'Idempotency-Key: order-1' -H 'Content-Type: text/plain' -d book
    }
    first=$(attempt pay "$1")
    second=$(pay "$1")
    echo "$first" | grep -q '^receipt .* for book' || { echo "$first" >&2; exit 1; }
    [ "$(echo "$first" | tail -n 1)" = "$(echo "$second" | tail -n 1)" ] || { echo "$second" >&2; exit 1; }
    echo "$second" | grep -qi '^idempotent-replayed: true' || { echo "$second" >&2; exit 1; }
    echo "the quick start works: $(echo "$second" | tail -n 1), twice"
}

# Runs the two commands on the standard input, which a page has for port 8080. The second must get the answer to the first again.
replayed() {
    sed "s|^curl |curl -s |; s|localhost:8080|localhost:$port|" >"$work/curls"
    [ "$(wc -l <"$work/curls")" -eq 2 ] || {
        echo "the quick start does not have two commands to try" >&2
        exit 1
    }
    sed -n 1p "$work/curls" >"$work/first"
    sed -n 2p "$work/curls" >"$work/second"
    first=$(attempt sh "$work/first")
    second=$(sh "$work/second" | tr -d '\r')
    echo "$second" | grep -qi '^idempotent-replayed: true$' || { echo "$first" "$second" >&2; exit 1; }
    [ "$(echo "$first" | tail -n 1)" = "$(echo "$second" | tail -n 1)" ] || { echo "$first" "$second" >&2; exit 1; }
    echo "$second" | tee "$work/answer"
    echo "the quick start works: $(echo "$second" | tail -n 1), twice"
}
