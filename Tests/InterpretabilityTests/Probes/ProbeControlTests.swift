import Interpretability
import Tensors
import Testing

@Suite("Controls of probes")
struct ProbeControlTests {
    @Test("are left out where there is one label to draw, and the probe keeps its figures")
    func control() throws {
        let rows = try Tensor<Float>((0..<40).map { Float($0 % 2) + Float($0) / 400 }, shape: [20, 2])
        let labels = (0..<20).map { $0 % 2 }
        let split = ProbeSplit(count: 20, testShare: 0.3, seed: 1)
        let alike = try ProbeReport.measure(
            rows, labels: labels, types: [Int](repeating: 4, count: 20), split: split)
        let alone = try ProbeReport.measure(rows, labels: labels, split: split)
        #expect(alike.control == nil)
        #expect(alike.selectivity == nil)
        #expect(alike.test == alone.test)
    }
}
