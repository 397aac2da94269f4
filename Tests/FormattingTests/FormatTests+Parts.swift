import Formatting
import Testing

@Suite("Parts of a sum")
struct PartsFormatTests {
    @Test("parts are rounded so that the displayed digits add up to the displayed total")
    func parts() {
        // Rounded separately, the parts would be 2.11 + 2.11 + 2.11 = 6.33, next to a total of 6.34.
        #expect(Format.parts([2.1149, 2.1136, 2.1133], of: 6.3418, digits: 2) == ["2.12", "2.11", "2.11"])
        #expect(Format.parts([], of: 0, digits: 2) == [])
    }

    @Test("any parts add up, and none is more than one digit off")
    func addUp() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let digits = Int.random(in: 2...4, using: &random)
            let values = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                Double.random(in: -1...9, using: &random)
            }
            let total = values.reduce(0, +)
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            func units(_ text: String) -> Int { Int(((Double(text) ?? .nan) * scale).rounded()) }
            let shown = Format.parts(values, of: total, digits: digits)
            #expect(shown.map(units).reduce(0, +) == units(Format.fixed(total, digits: digits)))
            for (text, value) in zip(shown, values) {
                #expect(abs((Double(text) ?? .nan) - value) <= 1 / scale + 1e-9, "\(text) for \(value)")
            }
        }
    }

    @Test("parts of another total are rounded separately")
    func otherTotal() {
        #expect(Format.parts([1, 2], of: 9, digits: 2) == ["1.00", "2.00"])
        #expect(Format.parts([.infinity], of: .infinity, digits: 2) == ["∞"])
    }
}
