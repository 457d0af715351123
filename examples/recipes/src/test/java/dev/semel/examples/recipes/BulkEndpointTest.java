package dev.semel.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.recipes.BulkEndpoint.Payout;
import dev.semel.examples.recipes.BulkEndpoint.RefusedException;
import dev.semel.examples.recipes.BulkEndpoint.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BulkEndpointTest {

    private final RecipeStore store = new RecipeStore();
    private final List<String> paid = new ArrayList<>();
    private final BulkEndpoint endpoint = new BulkEndpoint(store.semel(), this::pay);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void itemsAreRetriedInAnyGrouping() {
        Payout first = new Payout("p-1", "DE1", 100);
        Payout second = new Payout("p-2", "DE2", 200);
        Payout third = new Payout("p-3", "DE3", 300);

        assertThat(endpoint.pay("shop", List.of(first, second)))
                .extracting(Result::status)
                .containsExactly(200, 200);
        assertThat(endpoint.pay("shop", List.of(third, second, third)))
                .extracting(Result::text)
                .containsExactly("paid DE3", "paid DE2", "paid DE3");

        assertThat(paid).containsExactly("DE1", "DE2", "DE3");
    }

    @Test
    void anItemThatIsRefusedDoesNotHoldUpTheOthers() {
        Payout refused = new Payout("p-1", "closed", 100);
        Payout fine = new Payout("p-2", "DE2", 200);

        for (int i = 0; i < 2; i++) {
            assertThat(endpoint.pay("shop", List.of(refused, fine)))
                    .containsExactly(new Result("p-1", 402, "account is closed"), new Result("p-2", 200, "paid DE2"));
        }
        assertThat(paid).containsExactly("DE2");
    }

    @Test
    void anItemWithAnotherAmountIsRefused() {
        endpoint.pay("shop", List.of(new Payout("p-1", "DE1", 100)));

        assertThat(endpoint.pay("shop", List.of(new Payout("p-1", "DE1", 999))))
                .extracting(Result::status)
                .containsExactly(422);
        assertThat(paid).containsExactly("DE1");
    }

    private String pay(Payout payout, String key) {
        if (payout.account().equals("closed")) {
            throw new RefusedException("account is closed");
        }
        paid.add(payout.account());
        return "paid " + payout.account();
    }
}
