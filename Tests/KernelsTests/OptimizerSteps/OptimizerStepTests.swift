import Kernels
import Testing

@Suite("Steps of optimizers")
struct OptimizerStepTests {
    static let paths = ElementwisePath.allCases.filter(\.isPresent)
    /// Around the width of a vector, and beyond a chunk.
    static let sizes = [1, 3, 15, 16, 17, 31, 32, 33, 100, 16384, 16385, 40000]

    /// A rule by its kernel on a path, and by its twin.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arrays: Int
        let kernel: @Sendable (StepArray<Float>, ElementwisePath) -> Void
        let twin: @Sendable (StepArray<Double>) -> Void

        private static func sgd(_ name: String, _ rule: SGDRule) -> Rule {
            Rule(testDescription: name, arrays: rule.momentum > 0 ? 1 : 0, kernel: rule.apply, twin: rule.apply)
        }

        private static func adam(_ name: String, step: Int, isDecoupled: Bool) -> Rule {
            let rule = AdamRule(
                rate: 0.01, betas: (0.9, 0.99), epsilon: 1e-8, step: step, weightDecay: 0.1, isDecoupled: isDecoupled)
            return Rule(testDescription: name, arrays: 2, kernel: rule.apply, twin: rule.apply)
        }

        static let all = [
            sgd("sgd", SGDRule(rate: 0.1, weightDecay: 0.05)),
            sgd("momentum, first", SGDRule(rate: 0.1, momentum: 0.9, dampening: 0.2)),
            sgd("momentum", SGDRule(rate: 0.1, momentum: 0.9, dampening: 0.2, weightDecay: 0.05, isFirst: false)),
            sgd("nesterov", SGDRule(rate: 0.1, momentum: 0.9, isNesterov: true, isFirst: false)),
            adam("adam", step: 1, isDecoupled: false), adam("adamw", step: 7, isDecoupled: true),
            Rule(
                testDescription: "lion", arrays: 1,
                kernel: LionRule(rate: 0.01, betas: (0.9, 0.99), weightDecay: 0.1).apply,
                twin: LionRule(rate: 0.01, betas: (0.9, 0.99), weightDecay: 0.1).apply),
        ]
    }

    private func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
        var bits = SeededBits(seed: seed)
        return (0..<count).map { _ in bits.signedUnit() }
    }

    /// Weights, gradient, first and second; the second is not negative.
    private func arrays(_ count: Int) -> [[Float]] {
        [numbers(count, 1), numbers(count, 2), numbers(count, 3), numbers(count, 4).map(abs)]
    }

    private func array<E>(_ all: inout [[E]], _ rule: Rule, _ body: (StepArray<E>) -> Void) {
        let count = all[0].count
        var (w, m, v) = (all[0], all[2], all[3])
        all[1].withUnsafeBufferPointer { g in
            w.withUnsafeMutableBufferPointer { w in
                m.withUnsafeMutableBufferPointer { m in
                    v.withUnsafeMutableBufferPointer { v in
                        body(
                            StepArray(
                                weights: w.baseAddress!, gradient: g.baseAddress!,
                                first: rule.arrays > 0 ? m.baseAddress : nil,
                                second: rule.arrays > 1 ? v.baseAddress : nil, count: count))
                    }
                }
            }
        }
        (all[0], all[2], all[3]) = (w, m, v)
    }

    @Test("agree with their twins in float64, at every size", arguments: Rule.all, paths)
    func agreement(rule: Rule, path: ElementwisePath) {
        for count in Self.sizes {
            var found = arrays(count)
            var expected = found.map { $0.map(Double.init) }
            array(&found, rule) { rule.kernel($0, path) }
            array(&expected, rule, rule.twin)
            for (a, b) in zip(found, expected) {
                let worst = zip(a, b).reduce(0.0) { max($0, abs(Double($1.0) - $1.1)) }
                #expect(worst < 1e-6, "\(count)")
            }
        }
    }

    @Test("many arrays at once are as each by itself, on one thread and on several")
    func together() {
        let rule = AdamRule(
            rate: 0.01, betas: (0.9, 0.99), epsilon: 1e-8, step: 3, weightDecay: 0.1, isDecoupled: true)
        let kind = Rule.all[5]
        let start = Self.sizes.map { arrays($0) }
        for threads in [1, 3] {
            let pool = ThreadPool(threads: threads)
            var found = start
            var steps: [(rule: any StepRule, array: StepArray<Float>)] = []
            // The arrays stay where they are: `found` stays unchanged until the steps are done.
            for i in found.indices {
                steps.append(
                    (
                        rule,
                        StepArray(
                            weights: found[i][0].withUnsafeMutableBufferPointer { $0.baseAddress! },
                            gradient: found[i][1].withUnsafeBufferPointer { $0.baseAddress! },
                            first: found[i][2].withUnsafeMutableBufferPointer { $0.baseAddress! },
                            second: found[i][3].withUnsafeMutableBufferPointer { $0.baseAddress! },
                            count: Self.sizes[i])
                    ))
            }
            OptimizerSteps.run(steps, pool: pool)
            withExtendedLifetime(found) {}
            for i in start.indices {
                var alone = start[i]
                array(&alone, kind) { rule.apply(to: $0) }
                #expect(found[i] == alone)
            }
        }
    }

    @Test("a gradient that is not a number shows in the weights", arguments: Rule.all, paths)
    func notANumber(rule: Rule, path: ElementwisePath) {
        var all = arrays(20)
        all[1][3] = .nan
        array(&all, rule) { rule.kernel($0, path) }
        #expect(all[0].indices.filter { all[0][$0].isNaN } == [3])
    }
}
