import Evals
import Hashing
import LanguageModels
import Statistics

/// A synthetic run with a given share of wrong answers and an optional drop, to compare in benchmarks.
struct PlantedRun {
    var name: String
    var samples: Int
    /// Share of correct answers that become wrong.
    var drop: Double
    var seed: UInt64 = 17

    /// Answers depend only on the sample's number and the seed.
    private struct Answers: Solver {
        let drop: Double
        let seed: UInt64
        let identity: String
        var name: String { "made up" }

        func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
            let number = UInt64(sample.id.dropFirst()) ?? 0
            var common = SplitMix64(seed: seed, stream: number)
            let isRight = common.nextUnit() < 0.7
            var own = SplitMix64(seed: seed &+ UInt64(drop * 1000), stream: number &+ 1_000_000)
            let breaks = own.nextUnit() < drop * 2
            let mends = own.nextUnit() < drop * 0.9
            let answers = isRight ? !breaks : mends
            return Solution(answers: [answers ? sample.targets[0] : "wrong"])
        }
    }

    var order: EvalOrder {
        let made = (0..<samples).map { number in
            TaskSample(
                id: "q\(number)", request: .generation(ModelRequest(.text("What is \(number) plus \(number % 7)?"))),
                targets: [String(number + number % 7)], slices: [["sum", "product", "difference"][number % 3]])
        }
        let task = EvalTask(
            name: "planted", version: "1", format: "orrery", samples: made, scorers: [ScorerChoice("exact")],
            slices: ["kind"])
        return EvalOrder(
            task: task, solver: Answers(drop: drop, seed: seed, identity: "made up \(drop) \(seed)"),
            options: EvalOptions(name: name, concurrency: 4, usesCache: false))
    }
}
