#!/bin/sh
# Types the quick start of the README, as it is written there, into a new Spring Boot project, and tries it. The project
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

# The lines of the README's code block in language $1, the $2-th of them.
typed() {
    awk -v start="\`\`\`$1" -v nth="$2" '
        $0 == start && ++seen == nth { inside = 1; next }
        /^```/ { inside = 0 }
        inside' "$root/README.md"
}

[ "$({ typed xml 1; typed java 1; typed properties 1; } | wc -l)" -le 10 ] || {
    echo "the quick start has more than ten lines" >&2
    exit 1
}

cd "$root"
# shellcheck disable=SC2086
./mvnw -B -q --no-transfer-progress $maven -Dfast -pl spring/boot-starter -am deploy \
    -Dmaven.install.skip -DaltDeploymentRepository="local::file://$work/repository"

boot=$(sed -n 's:.*<spring-boot.version>\(.*\)</spring-boot.version>.*:\1:p' pom.xml)
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
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-dependencies</artifactId>
        <version>$boot</version>
        <type>pom</type>
        <scope>import</scope>
      </dependency>
    </dependencies>
  </dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-webmvc</artifactId>
    </dependency>
    $(typed xml 1)
  </dependencies>
</project>
END
cat >src/main/java/com/example/Application.java <<END
package com.example;

@org.springframework.boot.autoconfigure.SpringBootApplication
class Application {
    public static void main(String[] arguments) {
        org.springframework.boot.SpringApplication.run(Application.class, arguments);
    }
}
END
{
    echo 'package com.example;'
    echo 'import dev.semel.spring.Idempotent;'
    echo 'import org.springframework.web.bind.annotation.*;'
    typed java 1
} >src/main/java/com/example/Payments.java
typed properties 1 >src/main/resources/application.properties

# What this machine has already is read; what is resolved anew, and that is Semel, does not go there.
# shellcheck disable=SC2086
"$root/mvnw" -B -q --no-transfer-progress $maven compile dependency:build-classpath -Dmdep.outputFile=classpath \
    -Dmaven.repo.local="$work/m2" -Dmaven.repo.local.tail="${HOME}/.m2/repository" -Daether.offline.protocols=file
port=$((20000 + $$ % 20000))
java -cp "target/classes:$(cat classpath)" com.example.Application --server.port=$port >service.log 2>&1 &
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
