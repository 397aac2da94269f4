import System
import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("monotonic clocks advance, and the wall clock shows a plausible date")
    func sources() {
        let start = Clock.nanoseconds(.monotonic)
        Clock.pause(0.002)
        #expect(Clock.nanoseconds(.monotonic) - start >= 2_000_000)
        #expect(Clock.now(.wall) > 1_700_000_000)
        #expect(Clock.now(.process) >= Clock.now(.thread))
        #expect(Clock.nanoseconds(.coarse) > 0)
    }

    @Test("a sleep ends early if its closure returns true")
    func sleeping() {
        let clock = Clock.system
        let start = clock.seconds()
        clock.sleep(0.03, { false })
        #expect(clock.seconds() - start >= 0.03)
        var calls = 0
        clock.sleep(
            60,
            {
                calls += 1
                return calls == 3
            })
        #expect(clock.seconds() - start < 30)
    }

    @Test("a simulated clock advances only by sleeping and on request")
    func simulated() {
        let simulated = SimulatedClock(epoch: 5)
        simulated.clock.sleep(60, { false })
        simulated.clock.sleep(60, { true })
        simulated.advance(by: 1)
        #expect(simulated.clock.seconds() == 61 && simulated.clock.wall() == 61_000_000_005)
        #expect(simulated.slept == [60])
    }
}
