package dev.semel.testkit;

import dev.semel.testkit.contract.ErasedKeys;
import dev.semel.testkit.contract.G10NoHarm;
import dev.semel.testkit.contract.G11Identity;
import dev.semel.testkit.contract.G1OneOwner;
import dev.semel.testkit.contract.G2StableReplay;
import dev.semel.testkit.contract.G3NoZombies;
import dev.semel.testkit.contract.G4DurableFirst;
import dev.semel.testkit.contract.G5NoSilentSecondRun;
import dev.semel.testkit.contract.G6NoLeaks;
import dev.semel.testkit.contract.G7NothingLost;
import dev.semel.testkit.contract.G8SafeToRepeat;
import dev.semel.testkit.contract.G9OnlyOwnFailures;
import dev.semel.testkit.contract.ImportedKeys;
import dev.semel.testkit.contract.InspectedKeys;
import dev.semel.testkit.contract.LifeOfAKey;
import dev.semel.testkit.contract.LoggedDecisions;
import dev.semel.testkit.contract.RecordedSteps;
import dev.semel.testkit.contract.ResolvedKeys;
import dev.semel.testkit.contract.RetentionOfDecisions;
import dev.semel.testkit.contract.StoreTime;
import dev.semel.testkit.contract.TokensAndAttempts;
import dev.semel.testkit.contract.support.ContractSupport;

/**
 * The contract of every store: each guarantee from G1 to G11, and every arrow in the life of a key.
 *
 * <p>The test of a store is a subclass that only implements the hooks:
 *
 * <ul>
 *   <li>{@link #openStore} opens a handle onto the data under test,
 *   <li>{@link #clear} empties it,
 *   <li>{@link #advance} moves the store's clock, if a test can set it; otherwise the contract waits.
 * </ul>
 *
 * <p>A capability that the store lacks ({@link dev.semel.spi.Purging}, {@link dev.semel.spi.Inspecting}, {@link
 * dev.semel.spi.StepRecording}, {@link dev.semel.spi.Importing}, {@link dev.semel.spi.Erasing}, {@link
 * dev.semel.spi.DecisionLog}) is reported as a skipped test. A store that joins transactions passes {@link
 * TransactionContract} as well.
 */
public abstract class StoreContract extends ContractSupport
        implements G1OneOwner,
                G2StableReplay,
                G3NoZombies,
                G4DurableFirst,
                G5NoSilentSecondRun,
                G6NoLeaks,
                G7NothingLost,
                G8SafeToRepeat,
                G9OnlyOwnFailures,
                G10NoHarm,
                G11Identity,
                LifeOfAKey,
                TokensAndAttempts,
                StoreTime,
                RecordedSteps,
                ResolvedKeys,
                RetentionOfDecisions,
                LoggedDecisions,
                InspectedKeys,
                ImportedKeys,
                ErasedKeys {}
