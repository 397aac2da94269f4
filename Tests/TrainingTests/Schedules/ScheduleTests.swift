import Testing
import Training

@Suite("Learning rates")
struct ScheduleTests {
    @Test(
        "agree with torch's schedulers at every step",
        arguments: [
            ("constant", ConstantSchedule(0.3, warmUp: 5) as any Schedule),
            ("cosine", CosineSchedule(peak: 0.3, floor: 0.03, warmUp: 10, total: 40)),
            ("stable-decay", StableDecaySchedule(peak: 0.3, floor: 0.03, warmUp: 8, decay: 10, total: 40)),
            ("stable-root", StableDecaySchedule(peak: 0.3, decay: 10, total: 40, shape: .squareRoot)),
            ("one-cycle", OneCycleSchedule(peak: 0.3, total: 40)),
            (
                "one-cycle-linear",
                OneCycleSchedule(
                    peak: 0.3, total: 40, rise: 0.25, startDivisor: 10, endDivisor: 100, shape: .linear)
            ),
            ("one-cycle-three", OneCycleSchedule(peak: 0.3, total: 40, hasThreePhases: true)),
            ("inverse-root", InverseSquareRootSchedule.transformer(width: 128, warmUp: 12)),
        ])
    func agreement(name: String, schedule: any Schedule) throws {
        let expected = try OptimizerGolden().values("schedule/\(name)")
        for (step, rate) in expected.enumerated() {
            #expect(abs(schedule.rate(at: step) - rate) < 1e-12, "\(name) at step \(step)")
        }
    }

    @Test("hold their last rate past the end")
    func pastTheEnd() {
        #expect(CosineSchedule(peak: 1, floor: 0.1, warmUp: 5, total: 50).rate(at: 5_000) == 0.1)
        #expect(StableDecaySchedule(peak: 1, floor: 0.2, decay: 5, total: 50).rate(at: 50) == 0.2)
        let cycle = OneCycleSchedule(peak: 1, total: 50)
        #expect(cycle.rate(at: 5_000) == cycle.rate(at: 49))
    }

    @Test("are finite for the smallest of runs")
    func smallest() {
        let schedules: [any Schedule] = [
            ConstantSchedule(1, warmUp: 0), CosineSchedule(peak: 1, warmUp: 0, total: 0),
            CosineSchedule(peak: 1, warmUp: 3, total: 1), StableDecaySchedule(peak: 1, decay: 0, total: 1),
            StableDecaySchedule(peak: 1, warmUp: 2, decay: 5, total: 3), OneCycleSchedule(peak: 1, total: 0),
            OneCycleSchedule(peak: 1, total: 1), OneCycleSchedule(peak: 1, total: 2),
            OneCycleSchedule(peak: 1, total: 3, rise: 0), OneCycleSchedule(peak: 1, total: 3, rise: 1),
            InverseSquareRootSchedule(peak: 1, warmUp: 0),
        ]
        for schedule in schedules {
            for step in [-1, 0, 1, 2, 10] {
                #expect((0...1).contains(schedule.rate(at: step)), "\(schedule) at \(step)")
            }
        }
    }
}
