package dev.semel.torture.peers;

import com.trendyol.jdempotent.core.annotation.JdempotentIgnore;
import com.trendyol.jdempotent.core.annotation.JdempotentRequestPayload;
import com.trendyol.jdempotent.core.annotation.JdempotentResource;
import com.trendyol.jdempotent.core.aspect.IdempotentAspect;
import com.trendyol.jdempotent.redis.RedisConfigProperties;
import com.trendyol.jdempotent.redis.RedisIdempotentRepository;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.SystemUnderTest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

/** Jdempotent's aspect around an annotated method, with its repository in Redis. */
final class JdempotentAspect implements SystemUnderTest {

    private final LettuceConnectionFactory redis;
    private final Service service;

    JdempotentAspect(int port, Business business) {
        redis = new LettuceConnectionFactory("127.0.0.1", port);
        redis.start();
        RedisTemplate<Object, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(redis);
        template.afterPropertiesSet();
        RedisConfigProperties properties = new RedisConfigProperties();
        properties.setExpirationTimeHour(24L);
        properties.setPersistReqRes(true);
        AspectJProxyFactory proxies = new AspectJProxyFactory(new Service(business));
        proxies.setProxyTargetClass(true);
        proxies.addAspect(new IdempotentAspect(new RedisIdempotentRepository(template, properties)));
        service = proxies.getProxy();
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        Payment payment = new Payment(request);
        String outcome = service.pay(payment);
        if (outcome == null) {
            // The method returned nothing, because another request is still in it.
            return ServiceReply.of(Kind.IN_FLIGHT);
        }
        Kind kind = payment.hasRun ? Kind.EXECUTED : Kind.REPLAYED;
        return new ServiceReply(kind, SqlPeer.bytes(outcome), payment.hasRun ? 1 : 0);
    }

    @Override
    public void close() {
        redis.destroy();
    }

    /** What the aspect makes its key of: all fields but those that it is to ignore. */
    @SuppressWarnings("UnusedVariable") // read by reflection
    public static class Payment {

        private final String caller;
        private final String key;

        @JdempotentIgnore
        private final ServiceRequest request;

        @JdempotentIgnore
        private boolean hasRun;

        Payment(ServiceRequest request) {
            this.caller = request.scope();
            this.key = request.key();
            this.request = request;
        }
    }

    /** The annotated service. */
    public static class Service {

        private final @Nullable Business business;

        /** For the proxy. */
        public Service() {
            this(null);
        }

        Service(@Nullable Business business) {
            this.business = business;
        }

        /** Runs the operation, unless the aspect has an answer to it. */
        @JdempotentResource(cachePrefix = "torture", ttl = 24, ttlTimeUnit = TimeUnit.HOURS)
        public @Nullable String pay(@JdempotentRequestPayload Payment payment) throws Exception {
            payment.hasRun = true;
            return SqlPeer.text(java.util.Objects.requireNonNull(business).runOutside(payment.request, 1, 0));
        }
    }
}
