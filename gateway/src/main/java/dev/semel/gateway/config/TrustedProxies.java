package dev.semel.gateway.config;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The proxies that are trusted to name the client: ranges of addresses in CIDR notation. */
public record TrustedProxies(List<Range> ranges) {

    /** Trusts no address. */
    static final TrustedProxies NONE = new TrustedProxies(List.of());

    /** Trusts only this machine. */
    static final TrustedProxies LOOPBACK = parse(List.of("loopback"));

    /** The addresses that begin with the same bits as the first of them. */
    record Range(InetAddress first, int bits) {

        boolean contains(InetAddress address) {
            return address.getAddress().length == first.getAddress().length
                    && prefix(address).equals(prefix(first));
        }

        private boolean beginsWithFirst() {
            return prefix(first).shiftLeft(otherBits(first)).equals(new BigInteger(1, first.getAddress()));
        }

        private BigInteger prefix(InetAddress address) {
            return new BigInteger(1, address.getAddress()).shiftRight(otherBits(address));
        }

        private int otherBits(InetAddress address) {
            return address.getAddress().length * Byte.SIZE - bits;
        }
    }

    static TrustedProxies parse(List<String> texts) {
        return new TrustedProxies(texts.stream()
                .flatMap(text -> text.equals("loopback") ? Stream.of("127.0.0.0/8", "::1") : Stream.of(text))
                .map(TrustedProxies::range)
                .toList());
    }

    private static Range range(String text) {
        int slash = text.indexOf('/');
        InetAddress first = literal(slash < 0 ? text : text.substring(0, slash));
        if (first == null) {
            throw new IllegalArgumentException(
                    "expected addresses such as 10.0.0.0/8, 2001:db8::/32, 10.1.2.3 or loopback, got \"" + text + "\"");
        }
        int all = first.getAddress().length * Byte.SIZE;
        int bits = slash < 0 ? all : Parse.number(text.substring(slash + 1), 0);
        if (bits > all) {
            throw new IllegalArgumentException("a prefix here has at most " + all + " bits, got \"" + text + "\"");
        }
        Range range = new Range(first, bits);
        if (!range.beginsWithFirst()) {
            throw new IllegalArgumentException("write the first address of a range of /" + bits + ", or /" + all
                    + " for one address, got \"" + text + "\"");
        }
        return range;
    }

    /** Whether this address belongs to a trusted proxy. */
    public boolean trusts(@Nullable String address) {
        InetAddress peer = address == null || ranges.isEmpty() ? null : literal(address);
        return peer != null && ranges.stream().anyMatch(range -> range.contains(peer));
    }

    /** Whether a range has every address in it, so that it excludes none. */
    boolean trustsEverybody() {
        return ranges.stream().anyMatch(range -> range.bits() == 0);
    }

    /** An address as it is written, or {@code null} for anything else: no name is looked up. */
    private static @Nullable InetAddress literal(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            // An IPv4 address that is written as one of IPv6 becomes what it is.
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
