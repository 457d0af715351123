package dev.semel.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {

    private static final int LIMIT = 400 << 10;

    private final Budget budget = new Budget(LIMIT);

    @Test
    void largeRequestsLeaveRoomForSmallOnes() {
        BudgetShare large = new BudgetShare(budget, () -> {});

        assertThat(large.growRequest(300 << 10)).isTrue();
        assertThat(large.growRequest((300 << 10) + 1)).isFalse();
        assertThat(new BudgetShare(budget, () -> {}).growRequest(Budget.SMALL + 1))
                .isFalse();
        assertThat(new BudgetShare(budget, () -> {}).growRequest(Budget.SMALL)).isTrue();
        assertThat(budget.hasRoomFor(Budget.SMALL)).isFalse();
        assertThat(budget.hasRoomFor(100)).isTrue();
    }

    @Test
    void aSmallResponseAlwaysFindsRoom() {
        assertThat(new BudgetShare(budget, () -> {}).growResponse(350 << 10)).isTrue();

        assertThat(new BudgetShare(budget, () -> {}).growResponse(Budget.SMALL + 1))
                .isFalse();
        assertThat(new BudgetShare(budget, () -> {}).growResponse(Budget.SMALL)).isTrue();
        assertThat(budget.used()).isEqualTo((350 << 10) + Budget.SMALL);
    }

    @Test
    void largeResponsesLeaveRoomForSmallRequests() {
        assertThat(new BudgetShare(budget, () -> {}).growResponse((350 << 10) + 1))
                .isFalse();
        assertThat(new BudgetShare(budget, () -> {}).growResponse(350 << 10)).isTrue();
        assertThat(new BudgetShare(budget, () -> {}).growRequest(50 << 10)).isTrue();
    }

    @Test
    void getsEverythingBack() {
        BudgetShare share = new BudgetShare(budget, () -> {});
        share.growRequest(1000);
        share.growRequest(3000);
        share.growResponse(5000);
        share.shrinkResponse(4000);
        assertThat(budget.used()).isEqualTo(7000);

        share.giveRequest();
        assertThat(budget.used()).isEqualTo(4000);
        share.giveAll();
        share.giveAll();
        assertThat(budget.used()).isZero();
    }
}
