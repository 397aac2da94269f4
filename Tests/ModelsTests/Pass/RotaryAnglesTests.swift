import JSON
import Models
import TestFixtures
import Testing

@Suite("Rotary positions")
struct RotaryAnglesTests {
    @Test("frequencies of every scaling are those of transformers")
    func scalings() throws {
        let document = try JSONDocument(parsing: try #require(File.bytes("\(Golden.root)/rotary.json")))
        var compared = 0
        try document.withRoot { root in
            for item in root.elements {
                let parameters = try #require(item["scaling"])
                func number(_ key: String) -> Float { Float(parameters.member(named: key)?.double ?? 0) }
                func list(_ key: String) -> [Float] {
                    (parameters.member(named: key)?.elements.map { Float($0.double ?? 0) }) ?? []
                }
                let original = Int(number("original_max_position_embeddings"))
                let factor = Float(item["attention_factor"]?.double ?? 0)
                let scaling: RotaryScaling =
                    switch parameters["rope_type"]?.string {
                    case "linear": .linear(factor: number("factor"))
                    case "dynamic": .dynamic(factor: number("factor"), originalLength: 64)
                    case "llama3":
                        .llama3(
                            factor: number("factor"), lowFactor: number("low_freq_factor"),
                            highFactor: number("high_freq_factor"), originalLength: original)
                    case "yarn":
                        .yarn(
                            factor: number("factor"), originalLength: original,
                            betaFast: parameters["beta_fast"] == nil ? 32 : number("beta_fast"),
                            betaSlow: parameters["beta_slow"] == nil ? 1 : number("beta_slow"), attentionFactor: nil)
                    default:
                        .longrope(
                            short: list("short_factor"), long: list("long_factor"), originalLength: original,
                            attentionFactor: factor)
                    }
                let rotary = RotaryEmbedding(base: 500, width: 32, pairing: .halves, scaling: scaling)
                let angles = RotaryAngles(rotary, isWindowed: false)
                let found = angles.frequencies(length: Int(item["length"]?.int ?? 0))
                let expected = try #require(item["frequencies"]).elements.map { Float($0.double ?? 0) }
                #expect(found.count == 16)
                for (one, other) in zip(found, expected) { #expect(abs(one - other) <= 1e-6 * abs(other)) }
                #expect(abs(angles.amplitude - factor) <= 2e-7 * factor)
                compared += 1
            }
        }
        #expect(compared == 8)
    }

    @Test("windowed layers turn at their own base, without scaling")
    func windowed() {
        let rotary = RotaryEmbedding(
            base: 1e6, windowedBase: 100, width: 4, pairing: .halves, scaling: .linear(factor: 8))
        #expect(RotaryAngles(rotary, isWindowed: true).frequencies(length: 1) == [1, 0.1])
        #expect(RotaryAngles(rotary, isWindowed: false).frequencies(length: 1) == [0.125, 0.001 / 8])
    }

    @Test("factors of GGUF files divide the frequencies")
    func factors() {
        let rotary = RotaryEmbedding(base: 100, width: 4, pairing: .adjacent, scaling: .factors([1, 4]))
        #expect(RotaryAngles(rotary, isWindowed: false).frequencies(length: 9) == [1, 0.025])
    }
}
