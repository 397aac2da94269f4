import Interpretability
import System
import Tensors
import Testing

@Suite("A mass-mean probe")
struct MassMeanProbeTests {
    @Test("is the difference of the means, and with the covariance the linear discriminant")
    func directions() throws {
        let golden = try ProbeGolden()
        let rows = try golden.tensor("free").converted(to: Float.self)
        let labels = golden.two.map { $0 == 1 }
        let plain = try MassMeanProbe.fit(rows, labels: labels)
        #expect(misfit(plain.direction, try golden.tensor("mean.direction"), within: 1e-9) <= 1)
        let whitened = try MassMeanProbe.fit(rows, labels: labels, usingCovariance: true)
        #expect(misfit(whitened.direction, try golden.tensor("covariance.direction"), within: 1e-9) <= 1)
        let threshold = try golden.tensor("covariance.threshold").elements[0]
        #expect(abs(whitened.threshold - threshold) <= 1e-9 * (1 + abs(threshold)))
        let hits = zip(try whitened.predict(rows), labels).filter { $0 == $1 }.count
        #expect(hits > rows.shape[0] * 2 / 3)
    }

    @Test("says that a covariance is singular, and takes a ridge")
    func singular() throws {
        let golden = try ProbeGolden()
        let labels = golden.two.map { $0 == 1 }
        let error = #expect(throws: Problem.self) {
            try MassMeanProbe.fit(golden.rows, labels: labels, usingCovariance: true)
        }
        #expect(
            error?.sentence
                == "covariance: singular for 150 rows of 12 numbers. Use more rows, or add a ridge to "
                + "the diagonal.")
        let probe = try MassMeanProbe.fit(golden.rows, labels: labels, usingCovariance: true, ridge: 0.1)
        #expect(probe.direction.elements.allSatisfy { $0.isFinite })
    }
}
