package dev.semel.testkit.flaws;

/** One condition that a store forgot, and the test of the contract that must notice. */
enum Flaw {
    CLAIM_IS_CHECK_THEN_ACT("exactlyOneOfManyRacingClaimsAcquires"),
    REUSE_IS_CHECK_THEN_ACT("exactlyOneOfManyRacersReusesAnExpiredKey"),
    TAKEOVER_IS_CHECK_THEN_ACT("exactlyOneOfManyRacersTakesOverALapsedLease"),
    TAKES_OVER_LIVE_LEASES("aLiveLeaseIsNotTakenOver"),
    TAKES_OVER_UNASKED("aLapsedKeyIsUnknownToWhomMayNotTakeOver"),
    TAKES_OVER_UNKNOWN_KEYS("anAbandonedKeyIsUnknownToEverybody"),
    TAKES_OVER_SETTLED_KEYS("aTakingOverRequestIsGivenTheStoredOutcome"),
    RUNS_FAILED_OPERATIONS_AGAIN("aFailedOperationDoesNotRunAgain"),

    SETTLES_WITHOUT_TOKEN("aStalledOwnerCannotSettleAfterATakeover"),
    RENEWS_WITHOUT_TOKEN("aStalledOwnerCannotRenewAfterATakeover"),
    RELEASES_WITHOUT_TOKEN("aStalledOwnerCannotReleaseAfterATakeover"),
    ABANDONS_WITHOUT_TOKEN("aStalledOwnerCannotAbandonAfterATakeover"),
    RECORDS_WITHOUT_TOKEN("aStalledOwnerCannotRecordAStepAfterATakeover"),
    FENCES_BY_NONCE_ALONE("aLeaseIsWorthNothingAgainWhenALateCopyOfItsClaimWinsTheKey"),
    RESOLVES_WITHOUT_TOKEN("aDecisionOverAnEarlierAttemptIsRefused"),
    RESOLVES_WITHOUT_FENCE("theOwnerOfAKeyThatWasSettledForItIsFencedOff"),
    HOLD_FENCES_THE_OWNER("theOwnerOfAHeldKeyMayStillSettleIt"),

    SETTLES_IN_ANY_STATE("theFirstOutcomeStays"),
    RENEWS_IN_ANY_STATE("anOwnerThatSettledCanDoNothingElse"),
    RELEASES_IN_ANY_STATE("anOwnerThatSettledCanDoNothingElse"),
    ABANDONS_IN_ANY_STATE("anOwnerThatSettledCanDoNothingElse"),
    RECORDS_IN_ANY_STATE("anOwnerThatSettledRecordsNoMoreSteps"),
    RESOLVES_LIVE_KEYS("aLiveKeyIsNotResolved"),
    RESOLVES_SETTLED_KEYS("aSettledKeyIsNotResolved"),
    RENEWAL_REVIVES_UNKNOWN_KEYS("noRenewalRevivesAnAbandonedKey"),
    REFUSES_LATE_SETTLES("aLapsedOwnerThatNobodyTookOverStillSettles"),
    REFUSES_SETTLES_OF_UNKNOWN_KEYS("anOwnerThatAbandonedItsKeyMayStillSettleIt"),

    IGNORES_THE_FINGERPRINT_OF_PENDING_KEYS("anotherRequestWithAPendingKeyIsToldOfTheMismatchOnly"),
    IGNORES_THE_FINGERPRINT_OF_LAPSED_KEYS("anotherRequestWithALapsedKeyIsToldOfTheMismatchOnly"),
    IGNORES_THE_FINGERPRINT_OF_UNKNOWN_KEYS("anotherRequestWithAnUnknownKeyIsToldOfTheMismatchOnly"),
    IGNORES_THE_FINGERPRINT_OF_SETTLED_KEYS("anotherRequestWithASettledKeyIsToldOfTheMismatchOnly"),
    KEEPS_THE_FINGERPRINT_OF_AN_EXPIRED_LIFE("anExpiredKeyMayBeReusedForAnotherRequest"),
    COMPARES_FINGERPRINTS_OF_ALL_VERSIONS("fingerprintsOfDifferentVersionsNeverMismatch"),
    FORGETS_THE_SCOPE("theSameValueInTwoScopesNamesTwoOperations"),
    FORGETS_THE_NAMESPACE("theSameKeyInTwoNamespacesNamesTwoOperations"),
    JOINS_SCOPE_AND_VALUE("scopeAndValueAreNotRunTogether"),
    FOLDS_CASE("keysThatLookAlikeAreDifferentKeys"),
    TRIMS_KEYS("keysThatLookAlikeAreDifferentKeys"),
    NORMALISES_KEYS("keysThatLookAlikeAreDifferentKeys"),
    CUTS_LONG_KEYS("aKeyOfOneCharacterAndOneOfMaximalLengthAreKept"),

    PURGES_PENDING_KEYS("purgeNeverTouchesAPendingKey"),
    PURGES_LAPSED_KEYS("purgeNeverTouchesALapsedKey"),
    PURGES_UNKNOWN_KEYS("purgeNeverTouchesAnUnknownKey"),
    PURGES_WITHIN_RETENTION("purgeNeverTouchesAKeyWithinItsRetention"),
    PURGES_WITHIN_AUDIT("purgeLeavesARecordForItsWholeAuditWindow"),
    PURGES_TOMBSTONES("purgeLeavesATombstone"),
    PURGES_WITHOUT_BOUND("purgeIsBounded"),
    PURGES_NOTHING("purgeRemovesWhatHasOutlivedItsRetention"),
    PURGE_IS_CHECK_THEN_ACT("aPurgeThatRacesWithAReuseDoesNotRemoveTheNewClaim"),

    NEVER_EXPIRES("anExpiredKeyIsAbsent"),
    IGNORES_TOMBSTONES("aTombstoneKeepsAnExpiredKeyFromRunningAgain"),
    NEVER_FREES_TOMBSTONES("aKeyIsFreeAgainWhenItsTombstoneIsGone"),
    AUDIT_BLOCKS_THE_KEY("anExpiredKeyWithinItsAuditWindowIsFree"),
    COUNTS_RETENTION_FROM_THE_CLAIM("retentionCountsFromTheSettle"),
    EXPIRES_WITH_THE_LEASE("aLeaseDoesNotShortenTheRetention"),
    LEASE_PROLONGS_RETENTION("aLongLeaseDoesNotProlongABriefRetention"),
    RENEWAL_COUNTS_FROM_THE_CLAIM("aRenewedLeaseIsNotTakenOver"),
    RENEWS_FOR_EVER("aRenewedLeaseLapsesInTheEnd"),
    REPEATED_SETTLE_PROLONGS("aSettleSentAgainIsTrueAndChangesNothing"),
    GOES_BY_THE_MACHINES_CLOCK("everyNodeGoesByTheSameClock"),

    TOKEN_STAYS_ACROSS_TAKEOVER("theTokenGrowsWithEachTakeoverAndSoDoesTheAttempt"),
    TOKEN_STARTS_ANEW_AFTER_RELEASE("theTokenGrowsAcrossARelease"),
    TOKEN_STARTS_ANEW_AFTER_EXPIRY("theTokenGrowsAcrossExpiry"),
    TOKEN_STARTS_ANEW_AFTER_PURGE("theTokenGrowsAcrossPurge"),
    TOKEN_STARTS_ANEW_AFTER_FORGET("theTokenGrowsAcrossAResolutionThatForgets"),
    ATTEMPT_IS_NOT_COUNTED("theTokenGrowsWithEachTakeoverAndSoDoesTheAttempt"),
    ATTEMPT_GOES_ON_AFTER_EXPIRY("theTokenGrowsAcrossExpiry"),

    DOES_NOT_KNOW_ITS_OWN_CLAIM("aClaimSentAgainFindsItself"),
    DOES_NOT_KNOW_ITS_OWN_SETTLE("aSettleSentAgainIsTrueAndChangesNothing"),
    DOES_NOT_KNOW_ITS_OWN_ABANDON("anAbandonSentAgainIsTrue"),
    RELEASES_TWICE("aReleaseSentAgainFindsNothingToRelease"),
    LOSES_STEPS_ON_TAKEOVER("theAttemptThatTakesOverIsGivenTheStepsSoFar"),
    KEEPS_STEPS_AFTER_EXPIRY("theStepsOfAnExpiredLifeAreForgotten"),
    KEEPS_THE_LAST_STEP_RESULT("aStepRecordedAgainIsTrueAndKeepsTheFirstResult"),

    TAKES_NO_PAYLOAD_FOR_AN_EMPTY_ONE("keepsAPayloadThatWasNotKeptApartFromAnEmptyOne"),
    KEEPS_PAYLOADS_AS_TEXT("keepsEveryByteValue"),
    KEEPS_ONE_HEADER_PER_NAME("keepsHeadersInOrderWithRepeatedNames"),
    CUTS_LARGE_PAYLOADS("keepsAMebibyte"),
    REPLAYS_FAILURES_AS_SUCCESS("aFailedOutcomeIsReplayedAsWell"),

    PAGES_OVERLAP("pagesShowEachKeyExactlyOnce"),
    PAGES_IGNORE_THE_STATE("pagesFilterByState"),
    PAGES_IGNORE_THE_OPERATION("pagesFilterByOperation"),
    PAGES_IGNORE_THE_SCOPE("pagesFilterByScopeAndValue"),
    COUNTS_LAPSED_AS_PENDING("statisticsCountTheKeysOfEachState"),
    FORGETS_THE_REASON("theReasonIsKeptInTheHistory");

    final String noticedBy;

    Flaw(String noticedBy) {
        this.noticedBy = noticedBy;
    }
}
