package dev.semel.kotlin

import dev.semel.Attempt
import dev.semel.NotExecutedException
import dev.semel.OutcomeUnknownException
import dev.semel.spring.Idempotent
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.UUID
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.http.ResponseEntity
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

data class Charge(val amount: Int)

data class Receipt(val order: String, val run: Int)

@RestController
class Handlers {
    val runs = AtomicInteger()

    // quoted: handler
    @PostMapping("/charges")
    @Idempotent("charge")
    suspend fun charge(@RequestBody charge: Charge, attempt: Attempt): Receipt {
        // end
        yield()
        return Receipt("${charge.amount} in attempt ${attempt.number()}", runs.incrementAndGet())
    }

    @PostMapping("/busy")
    @Idempotent("busy")
    suspend fun busy(): String {
        yield()
        if (runs.incrementAndGet() == 1) throw NotExecutedException("not yet")
        return "done"
    }

    @PostMapping("/number")
    @Idempotent("number")
    suspend fun number(@RequestParam number: Int): String {
        yield()
        return "number $number in run ${runs.incrementAndGet()}"
    }

    @PostMapping("/timeout")
    @Idempotent("timeout")
    suspend fun timeout(): String {
        runs.incrementAndGet()
        return withTimeout(1) { awaitCancellation() }
    }

    @ExceptionHandler(NotExecutedException::class)
    fun busy(e: NotExecutedException): ResponseEntity<String> = ResponseEntity.status(503).body(e.message)
}

@Service
class Orders {
    val runs = AtomicInteger()
    var started = CompletableDeferred<Unit>()
    var goOn = CompletableDeferred<Unit>()

    // quoted: service
    @Idempotent(value = "place-order", key = "#order")
    suspend fun place(order: String): Receipt {
        // end
        yield()
        return Receipt(order, runs.incrementAndGet())
    }

    @Idempotent(value = "notify", key = "#order")
    suspend fun notify(order: String) {
        yield()
        runs.incrementAndGet()
    }

    @Idempotent(value = "slow", key = "#order", waitFor = "30s")
    suspend fun slow(order: String): Receipt {
        started.complete(Unit)
        goOn.await()
        return Receipt(order, runs.incrementAndGet())
    }

    @Idempotent(value = "timeout-inside", key = "#order")
    suspend fun timeout(order: String): Receipt {
        runs.incrementAndGet()
        return withTimeout(1) { awaitCancellation() }
    }
}

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Handlers::class, Orders::class)
class Application

/** Suspending functions with `@Idempotent`: handlers of Spring WebFlux, and methods of other beans. */
@Timeout(60)
class SpringTest {
    private val key = UUID.randomUUID().toString()

    @BeforeEach
    fun reset() {
        handlers().runs.set(0)
        target().runs.set(0)
    }

    @Test
    fun `a handler runs once, and its response is replayed`() {
        val first = post("/charges", """{"amount":7}""")
        val second = post("/charges", """{ "amount": 7 }""")

        assertThat(first.statusCode()).isEqualTo(200)
        assertThat(first.body()).isEqualTo("""{"order":"7 in attempt 1","run":1}""")
        assertThat(second.body()).isEqualTo(first.body())
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true")
        assertThat(post("/charges", """{"amount":8}""").statusCode()).isEqualTo(422)
        assertThat(handlers().runs).hasValue(1)
    }

    @Test
    fun `what a handler did not execute may run again`() {
        assertThat(post("/busy", "").statusCode()).isEqualTo(503)
        assertThat(post("/busy", "").body()).isEqualTo("done")
        assertThat(post("/busy", "").body()).isEqualTo("done")
        assertThat(handlers().runs).hasValue(2)
    }

    @Test
    fun `a request that is refused before the handler keeps no key`() {
        assertThat(post("/number?number=x", "").statusCode()).isEqualTo(400)
        assertThat(post("/number?number=x", "").headers().firstValue("Idempotent-Replayed")).isEmpty()
        assertThat(handlers().runs).hasValue(0)
    }

    @Test
    fun `a handler that is cancelled by itself has an unknown outcome`() {
        post("/timeout", "")

        val retry = post("/timeout", "")
        assertThat(retry.statusCode()).isEqualTo(409)
        assertThat(retry.body()).contains("outcome-unknown")
        assertThat(handlers().runs).hasValue(1)
    }

    @Test
    fun `a bean's function runs once per key`() {
        runBlocking {
            assertThat(orders().place(key)).isEqualTo(Receipt(key, 1))
            assertThat(orders().place(key)).isEqualTo(Receipt(key, 1))
            orders().notify(key)
            orders().notify(key)
            assertThat(target().runs).hasValue(2)
        }
    }

    @Test
    fun `it goes on when its caller is cancelled, and its outcome is kept`() {
        runBlocking {
            target().started = CompletableDeferred()
            target().goOn = CompletableDeferred()
            val caller = launch(Dispatchers.Default) { orders().slow(key) }
            target().started.await()
            caller.cancelAndJoin()
            assertThat(caller.isCancelled).isTrue()

            target().goOn.complete(Unit)
            assertThat(orders().slow(key)).isEqualTo(Receipt(key, 1))
        }
    }

    @Test
    fun `one that is cancelled by itself has an unknown outcome, and does not cancel its caller`() {
        runBlocking {
            assertThat(runCatching { orders().timeout(key) }.exceptionOrNull())
                .isInstanceOf(OutcomeUnknownException::class.java)
            assertThat(runCatching { orders().timeout(key) }.exceptionOrNull()).hasMessageContaining("unknown")
            assertThat(target().runs).hasValue(1)
        }
    }

    private fun post(path: String, body: String): HttpResponse<String> {
        val port = application.environment.getRequiredProperty("local.server.port")
        val request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:$port$path"))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build()
        return client.send(request, HttpResponse.BodyHandlers.ofString())
    }

    companion object {
        private val client = HttpClient.newHttpClient()
        private lateinit var application: ConfigurableApplicationContext

        @JvmStatic
        @BeforeAll
        fun start() {
            application =
                SpringApplicationBuilder(Application::class.java)
                    .web(WebApplicationType.REACTIVE)
                    .properties("server.port=0", "semel.store=memory", "semel.scope=everybody")
                    .run()
        }

        @JvmStatic
        @AfterAll
        fun stop() = application.close()

        private fun handlers() = application.getBean(Handlers::class.java)

        private fun orders() = application.getBean(Orders::class.java)

        private fun target() = org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(orders()) as Orders
    }
}
