#!/bin/sh
# Types the quick start for Quarkus, as it is written in docs/frameworks.md, into a new project, and tries it. The project
# takes Semel from a repository of its own, so that nothing is left behind: everything is in a temporary directory.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
service=
# Arguments for every build, such as -o.
maven=${1-}

finish() {
    [ -z "$service" ] || kill "$service" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The lines of the page's code block in language $1, of those that are to be typed here.
typed() {
    awk -v start="\`\`\`$1" '
        $0 == "<!-- typed: examples/quick-start-quarkus.sh -->" { here = 1 }
        $0 == "<!-- end -->" { here = 0 }
        here && $0 == start { inside = 1; next }
        /^```/ { inside = 0 }
        inside' "$root/docs/frameworks.md"
}

cd "$root"
# shellcheck disable=SC2086
./mvnw -B -q --no-transfer-progress $maven -Dfast -pl quarkus/deployment,bom -am deploy \
    -Dmaven.install.skip -DaltDeploymentRepository="local::file://$work/repository"

property() {
    sed -n "s:.*<$1>\(.*\)</$1>.*:\1:p" pom.xml | head -n 1
}
quarkus=$(property quarkus.version)
version=$(property version)
project=$work/project
mkdir -p "$project/src/main/java/com/example" "$project/src/main/resources"
cd "$project"
cat >pom.xml <<END
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
    <repository><id>local</id><url>file://$work/repository</url></repository>
  </repositories>
  <dependencyManagement>
    <dependencies>
      <dependency>
        <groupId>io.quarkus</groupId>
        <artifactId>quarkus-bom</artifactId>
        <version>$quarkus</version>
        <type>pom</type>
        <scope>import</scope>
      </dependency>
      <dependency>
        <groupId>dev.semel</groupId>
        <artifactId>semel-bom</artifactId>
        <version>$version</version>
        <type>pom</type>
        <scope>import</scope>
      </dependency>
    </dependencies>
  </dependencyManagement>
  <dependencies>
    $(typed xml)
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>io.quarkus</groupId>
        <artifactId>quarkus-maven-plugin</artifactId>
        <version>$quarkus</version>
        <executions>
          <execution>
            <goals><goal>build</goal></goals>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
END
{
    echo 'package com.example;'
    echo 'import dev.semel.rest.Idempotent;'
    echo 'import io.smallrye.mutiny.Uni;'
    echo 'import jakarta.ws.rs.*;'
    echo 'import java.util.UUID;'
    typed java
} >src/main/java/com/example/Payments.java
typed properties >src/main/resources/application.properties

# What this machine has already is read; what is resolved anew, and that is Semel, does not go there.
# shellcheck disable=SC2086
"$root/mvnw" -B -q --no-transfer-progress $maven package \
    -Dmaven.repo.local="$work/m2" -Dmaven.repo.local.tail="${HOME}/.m2/repository" -Daether.offline.protocols=file
port=$((20000 + $$ % 20000))
java -Dquarkus.http.port=$port -jar target/quarkus-app/quarkus-run.jar >service.log 2>&1 &
service=$!

pay() {
    curl -s -i "localhost:$port/payments" -H 'Idempotency-Key: order-1' -H 'Content-Type: text/plain' -d book
}
tries=0
until first=$(pay); do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ] || ! kill -0 "$service" 2>/dev/null; then
        cat service.log >&2
        exit 1
    fi
    sleep 1
done
second=$(pay)
echo "$first" | grep -q '^receipt .* for book' || { echo "$first" >&2; exit 1; }
[ "$(echo "$first" | tail -n 1)" = "$(echo "$second" | tail -n 1)" ] || { echo "$second" >&2; exit 1; }
echo "$second" | grep -qi '^idempotent-replayed: true' || { echo "$second" >&2; exit 1; }
echo "the quick start works: $(echo "$second" | tail -n 1), twice"
