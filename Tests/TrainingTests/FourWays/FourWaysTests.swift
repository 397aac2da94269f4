import Tensors
import Testing
import Training

@Suite("One classifier, four ways")
struct FourWaysTests {
    @Test("loops, tensors, kernels and autograd walk down one curve")
    func oneCurve() throws {
        let problem = try ClassifierProblem(inputs: 37, hidden: 19, classes: 5, batch: 16, count: 100, rate: 0.1)
        let results = try FourWays.run(problem, steps: 40)
        #expect(results.map(\.name) == ["textbook", "tensors", "kernels", "autograd"])
        #expect(results.allSatisfy { $0.losses.count == 40 && $0.stepsPerSecond > 0 })
        #expect(FourWays.worstDifference(results) < 1e-4)
        let losses = results[0].losses
        #expect(losses[39] < 0.7 * losses[0])
    }

    @Test("a difference is found")
    func difference() throws {
        let problem = try ClassifierProblem(inputs: 5, hidden: 4, classes: 3, batch: 4, count: 8)
        var results = try FourWays.run(problem, steps: 3)
        results[2].losses[1] *= 1.01
        #expect(FourWays.worstDifference(results) > 0.009)
    }

    @Test("batches go round and stay inside the examples")
    func batches() throws {
        let problem = try ClassifierProblem(inputs: 2, hidden: 2, classes: 2, batch: 4, count: 10)
        for step in 0..<50 { #expect((0...6).contains(problem.start(ofStep: step))) }
        #expect(Set((0..<50).map(problem.start)).count > 3)
    }
}
