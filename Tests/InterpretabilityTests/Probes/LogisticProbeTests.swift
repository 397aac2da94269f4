import Interpretability
import System
import Tensors
import Testing

@Suite("A logistic probe")
struct LogisticProbeTests {
    @Test("finds scikit-learn's coefficients at the same C", arguments: ["two", "three"], [1.0, 0.05])
    func coefficients(labels: String, c: Double) throws {
        let golden = try ProbeGolden()
        let probe = try LogisticProbe.fit(
            golden.rows, labels: golden.labels(labels), options: LogisticProbe.Options(c: c))
        #expect(probe.isConverged)
        let name = "\(labels).\(c)"
        #expect(misfit(probe.coefficients, try golden.tensor("\(name).coefficients"), within: 1e-5) <= 1)
        #expect(misfit(try Tensor(probe.intercepts), try golden.tensor("\(name).intercepts"), within: 1e-5) <= 1)
        let probabilities = try probe.probabilities(golden.rows)
        #expect(misfit(probabilities, try golden.tensor("\(name).probabilities"), within: 1e-5) <= 1)
    }

    @Test("finds them on inputs that are not standardized, too")
    func raw() throws {
        let golden = try ProbeGolden()
        let rows = try golden.rows[.all, 4...].contiguous()
        let probe = try LogisticProbe.fit(
            rows, labels: golden.two, options: LogisticProbe.Options(standardizes: false, tolerance: 1e-8))
        #expect(misfit(probe.coefficients, try golden.tensor("raw.coefficients"), within: 1e-4) <= 1)
        #expect(misfit(try Tensor(probe.intercepts), try golden.tensor("raw.intercepts"), within: 1e-4) <= 1)
    }

    @Test("says the class that is likeliest, and its direction leads there")
    func predictions() throws {
        let golden = try ProbeGolden()
        for name in ["two", "three"] {
            let probe = try LogisticProbe.fit(golden.rows, labels: golden.labels(name))
            let probabilities = try probe.probabilities(golden.rows)
            #expect(try probe.predict(golden.rows) == probabilities.argmax(1).elements.map { probe.classes[Int($0)] })
        }
        let probe = try LogisticProbe.fit(golden.rows, labels: golden.two)
        let (up, down) = (try probe.direction(of: 1), try probe.direction(of: 0))
        #expect(try up == down * -1)
        let before = try probe.probabilities(golden.rows).elements
        let after = try probe.probabilities(golden.rows + up * 0.1).elements
        #expect(stride(from: 1, to: before.count, by: 2).allSatisfy { after[$0] > before[$0] })
    }

    @Test("keeps the labels that it was given")
    func labels() throws {
        let golden = try ProbeGolden()
        let probe = try LogisticProbe.fit(golden.rows, labels: golden.two.map { $0 == 0 ? 40 : -7 })
        #expect(probe.classes == [-7, 40])
        #expect(Set(try probe.predict(golden.rows)) == [-7, 40])
    }

    @Test("finds a plane that parts two classes although nothing but the penalty holds its weights")
    func separable() throws {
        let rows = try Tensor<Float>(rows: [[-2, 1], [-1, 1], [1, 1], [2, 1]])
        let probe = try LogisticProbe.fit(rows, labels: [0, 0, 1, 1], options: LogisticProbe.Options(c: 1e6))
        #expect(probe.isConverged)
        #expect(try probe.predict(rows) == [0, 0, 1, 1])
    }

    @Test("answers what it cannot fit with a sentence")
    func refusals() throws {
        let golden = try ProbeGolden()
        let one = [Int](repeating: 1, count: golden.two.count)
        let refusals: [(String, () throws -> LogisticProbe)] = [
            (
                "probe: all rows have the same class. Label some rows differently.",
                { try LogisticProbe.fit(golden.rows, labels: one) }
            ),
            (
                "probe: rows of shape [150, 12] do not match 3 labels.",
                { try LogisticProbe.fit(golden.rows, labels: [0, 1, 0]) }
            ),
            (
                "C: 0.0 is out of range. Use a value above 0; smaller values regularize more.",
                { try LogisticProbe.fit(golden.rows, labels: golden.two, options: LogisticProbe.Options(c: 0)) }
            ),
            (
                "probe: activations contain values that are not finite.",
                { try LogisticProbe.fit(golden.rows * .nan, labels: golden.two) }
            ),
        ]
        for (sentence, body) in refusals {
            let error = #expect(throws: Problem.self) { try body() }
            #expect(error?.sentence == sentence)
        }
        let probe = try LogisticProbe.fit(golden.rows, labels: golden.two)
        let error = #expect(throws: Problem.self) {
            try probe.predict(Tensor(repeating: 0, shape: [2, 3]))
        }
        #expect(
            error?.sentence
                == "probe: expected rows of 12 numbers, found [2, 3]. Use activations of the hook the probe "
                + "was fitted on.")
    }
}
