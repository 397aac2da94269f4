import Interpretability
import System
import Tensors
import Testing
import Training

@Suite("A report on a probe")
struct ProbeReportTests {
    @Test("splits rows by a seed, each to one side")
    func split() {
        let split = ProbeSplit(count: 50, testShare: 0.3, seed: 4)
        #expect(split.test.count == 15)
        #expect((split.train + split.test).sorted() == Array(0..<50))
        #expect(split == ProbeSplit(count: 50, testShare: 0.3, seed: 4))
        #expect(split != ProbeSplit(count: 50, testShare: 0.3, seed: 5))
        #expect(ProbeSplit(count: 2, testShare: 0).test.count == 1)
        #expect(ProbeSplit(count: 2, testShare: 1).train.count == 1)
    }

    /// Types with an activation each, 20 rows of noise about it; the property is one of its coordinates.
    private func data(types: Int, width: Int) throws -> (rows: Tensor<Float>, labels: [Int], owners: [Int]) {
        let centers = try Tensor<Float>.normal([types, width], seed: 1)
        let noise = try Tensor<Float>.normal([types * 20, width], deviation: 0.5, seed: 2)
        let owners = (0..<types * 20).map { $0 % types }
        let labels = try owners.map { try centers.element(at: [$0, 0]) > 0 ? 1 : 0 }
        return (try centers.selecting(owners) + noise, labels, owners)
    }

    @Test("is selective for what activations hold of types that were never seen")
    func selectivity() throws {
        let (rows, labels, owners) = try data(types: 80, width: 8)
        let split = ProbeSplit(
            train: owners.indices.filter { owners[$0] < 60 }, test: owners.indices.filter { owners[$0] >= 60 })
        let report = try ProbeReport.measure(rows, labels: labels, types: owners, split: split)
        #expect(report.test.value > 0.75)
        let control = try #require(report.control)
        #expect(report.selectivity == report.test.value - control.value)
        #expect(report.test.value - control.value > 0.2)
        #expect(report.test.interval().contains(report.test.value))
    }

    @Test("shows that a wide probe learns random labels of seen types by heart")
    func memory() throws {
        let (rows, labels, owners) = try data(types: 40, width: 64)
        let report = try ProbeReport.measure(
            rows, labels: labels, types: owners, split: ProbeSplit(count: owners.count, seed: 3))
        let control = try #require(report.control)
        #expect(control.value > 0.9)
    }

    @Test("has no control without types, and refuses what does not fit")
    func refusals() throws {
        let rows = try Tensor<Float>.normal([20, 3], seed: 1)
        let labels = (0..<20).map { $0 % 2 }
        let report = try ProbeReport.measure(rows, labels: labels, split: ProbeSplit(count: 20))
        #expect(report.control == nil && report.selectivity == nil)
        #expect(throws: Problem.self) {
            try ProbeReport.measure(rows, labels: labels, split: ProbeSplit(train: [0, 1], test: [20]))
        }
        #expect(throws: Problem.self) {
            try ProbeReport.measure(rows, labels: labels, types: [1], split: ProbeSplit(count: 20))
        }
    }
}
