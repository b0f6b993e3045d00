"""Accounts: floor, holds, the red."""

from uuid import UUID, uuid4

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from solaris_economy.domain.account import (
    AccountCredited,
    AccountDebited,
    AccountOpened,
    AccountRecovered,
    AccountWentNegative,
    Entry,
    HoldPlaced,
    HoldReleased,
    credit,
    debit,
    evolve,
    open_account,
    place_hold,
    release_hold,
)
from solaris_economy.domain.transfer import Posting, Transfer, TransferPosted, decide
from solaris_shared.errors import Rejected
from solaris_shared.testing.scenario import given

T1, T2, HOLD = UUID(int=1), UUID(int=2), UUID(int=3)
OPENED = AccountOpened("m1", "mechwarrior", 0)
CREDITED = AccountCredited(T1, 300_000, "purse", "organisers", "f1")


def entry(amount: int, mandatory: bool = False) -> Entry:
    return Entry(T2, amount, "repair", "workshop", "f1", mandatory)


def test_an_account_opens_once_at_zero_with_the_floor_of_its_kind():
    given(evolve).when(open_account, "m1", "mechwarrior", "p1").then(
        AccountOpened("m1", "mechwarrior", 0, "p1")
    )
    given(evolve).when(open_account, "organisers", "organisers").then(
        AccountOpened("organisers", "organisers", None)
    )
    given(evolve, OPENED).when(open_account, "m1", "mechwarrior").then()


def test_a_debit_may_empty_the_account_but_not_cross_its_floor():
    account = given(evolve, OPENED, CREDITED)
    account.when(debit, entry(300_000)).then(AccountDebited(T2, 300_000, "repair", "workshop", "f1"))
    refused = account.when(debit, entry(300_001)).then_rejected("insufficient-funds")
    assert refused.rule == "R 5"


def test_a_mandatory_charge_crosses_the_floor_and_tells_so_once():
    account = given(evolve, OPENED, CREDITED)
    charge = AccountDebited(T2, 500_000, "repair", "workshop", "f1")
    account.when(debit, entry(500_000, mandatory=True)).then(charge, AccountWentNegative("m1", -200_000))
    in_the_red = given(evolve, OPENED, CREDITED, charge)
    in_the_red.when(debit, entry(1, mandatory=True)).then(AccountDebited(T2, 1, "repair", "workshop", "f1"))
    payment = Entry(T1, 200_000, "purse", "organisers", "f2")
    in_the_red.when(credit, payment).then(
        AccountCredited(T1, 200_000, "purse", "organisers", "f2"), AccountRecovered("m1", 0)
    )


def test_the_bank_has_no_floor_and_is_never_in_the_red():
    bank = given(evolve, AccountOpened("organisers", "organisers", None))
    bank.when(debit, entry(10**9)).then(AccountDebited(T2, 10**9, "repair", "workshop", "f1"))


def test_held_money_is_not_free():
    account = given(evolve, OPENED, CREDITED, HoldPlaced(HOLD, 250_000, "bid"))
    account.when(debit, entry(50_001)).then_rejected("insufficient-funds")
    account.when(place_hold, T1, 50_001, "bid").then_rejected("insufficient-funds")
    account.when(place_hold, HOLD, 1, "bid").then_rejected("hold-exists")
    account.when(release_hold, T1).then_rejected("hold-unknown")
    account.when(release_hold, HOLD).then(HoldReleased(HOLD))
    freed = given(evolve, OPENED, CREDITED, HoldPlaced(HOLD, 250_000, "bid"), HoldReleased(HOLD))
    freed.when(debit, entry(300_000)).then(AccountDebited(T2, 300_000, "repair", "workshop", "f1"))


@pytest.mark.parametrize("amount", [0, -1])
def test_amounts_are_more_than_zero(amount: int):
    """ECO3: a negative amount never turns into income."""
    account = given(evolve, OPENED, CREDITED)
    for decision in (debit, credit):
        account.when(decision, entry(amount)).then_rejected("amount-not-positive")
    account.when(place_hold, HOLD, amount, "bid").then_rejected("amount-not-positive")


@pytest.mark.parametrize("amount", [1.5, True, "1", None])
def test_amounts_are_whole_numbers(amount: object):
    with pytest.raises(TypeError):
        debit(given(evolve, OPENED, CREDITED).state, entry(amount))


def test_a_transfer_has_two_postings_that_sum_to_zero():
    bank = given(evolve, AccountOpened("organisers", "organisers", None)).state
    player = given(evolve, OPENED).state
    posted = decide(Transfer(T1, "organisers", "m1", 300_000, "purse", "f1"), bank, player)
    assert posted.postings == (Posting("organisers", -300_000), Posting("m1", 300_000))
    assert posted.transfer == (TransferPosted(T1, "purse", "f1", posted.postings),)
    with pytest.raises(Rejected, match="same-account"):
        decide(Transfer(T1, "m1", "m1", 1, "gift", ""), player, player)


class Ledger(RuleBasedStateMachine):
    """Any run of transfers, charges and holds: nothing is made or lost, nobody chooses to go below his
    floor."""

    holds = Bundle("holds")
    names = st.sampled_from(["organisers", "workshop", "a", "b", "c"])
    amounts = st.integers(1, 1_000_000)

    def __init__(self) -> None:
        super().__init__()
        self.accounts = {}
        self.charged = set()
        self.expected = {}
        for owner in ("organisers", "workshop", "a", "b", "c"):
            kind = owner if owner in ("organisers", "workshop") else "mechwarrior"
            (opened,) = open_account(None, owner, kind)
            self.accounts[owner] = evolve(None, opened)
            self.expected[owner] = 0

    def fold(self, owner: str, events: tuple[object, ...]) -> None:
        for event in events:
            self.accounts[owner] = evolve(self.accounts[owner], event)

    @rule(payer=names, payee=names, amount=amounts, mandatory=st.booleans())
    def transfer(self, payer: str, payee: str, amount: int, mandatory: bool) -> None:
        command = Transfer(uuid4(), payer, payee, amount, "test", "", mandatory)
        account = self.accounts[payer]
        allowed = payer != payee and (
            mandatory or account.floor is None or account.free - amount >= account.floor
        )
        try:
            posted = decide(command, account, self.accounts[payee])
        except Rejected:
            assert not allowed
            return
        assert allowed
        assert sum(posting.amount for posting in posted.postings) == 0
        self.fold(payer, posted.payer)
        self.fold(payee, posted.payee)
        self.expected[payer] -= amount
        self.expected[payee] += amount
        if mandatory:
            self.charged.add(payer)

    @rule(target=holds, owner=st.sampled_from(["a", "b", "c"]), amount=amounts)
    def hold(self, owner: str, amount: int) -> tuple[str, UUID] | None:
        hold_id = uuid4()
        try:
            events = place_hold(self.accounts[owner], hold_id, amount, "bid")
        except Rejected:
            assert self.accounts[owner].free < amount
            return None
        self.fold(owner, events)
        return owner, hold_id

    @rule(placed=consumes(holds))
    def release(self, placed: tuple[str, UUID] | None) -> None:
        if placed is not None:
            self.fold(placed[0], release_hold(self.accounts[placed[0]], placed[1]))

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        assert sum(account.balance for account in self.accounts.values()) == 0
        assert {owner: account.balance for owner, account in self.accounts.items()} == self.expected

    @invariant()
    def nobody_chose_to_go_below_his_floor(self) -> None:
        for owner, account in self.accounts.items():
            if account.floor is not None and owner not in self.charged:
                assert account.free >= account.floor


TestLedger = Ledger.TestCase
