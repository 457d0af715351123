package dev.semel.testkit.contract.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.StoreContract;
import dev.semel.testkit.contract.G1OneOwner;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupNamesTest {

    @Test
    void aTestIsNamedAfterItsGuaranteeAndItsBehaviour() throws NoSuchMethodException {
        String name = new GroupNames()
                .generateDisplayNameForMethod(
                        List.of(),
                        StoreContract.class,
                        G1OneOwner.class.getDeclaredMethod("exactlyOneOfManyRacingClaimsAcquires"));

        assertThat(name).isEqualTo("G1 one owner: exactly one of many racing claims acquires");
    }
}
