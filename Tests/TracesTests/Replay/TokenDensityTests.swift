import Testing
import Traces

@Suite("Replay: tokens to bytes")
struct TokenDensityTests {
    /// Growths of three bytes/token and 80 tokens per exchange, a few tokens off.
    private func growths(_ count: Int, _ random: inout SplitMix) -> [TokenDensity.Growth] {
        (0..<count).map { _ in
            let bytes = Double(100 + random.next(4_000))
            let exchanges = Double(random.next(3))
            let tokens = bytes / 3 + 80 * exchanges + Double(random.next(11) - 5)
            return .init(bytes: bytes, exchanges: exchanges, tokens: tokens)
        }
    }

    @Test("a planted line is found again", arguments: [1, 2, 3] as [UInt64])
    func planted(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let density = try #require(TokenDensity(fitting: growths(100, &random)))
        #expect(abs(density.bytesPerToken - 3) < 0.05)
        #expect(abs(density.tokensPerExchange - 80) < 5)
        #expect(density.samples == 100)
        #expect(density.spread < 0.02)
    }

    @Test("calls to which something unseen was added do not bend the line", arguments: [1, 2, 3] as [UInt64])
    func outliers(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var measured = growths(100, &random)
        for place in stride(from: 0, to: 100, by: 5) { measured[place].tokens += Double(1_000 + random.next(9_000)) }
        let density = try #require(TokenDensity(fitting: measured))
        #expect(abs(density.bytesPerToken - 3) < 0.2)
        #expect(abs(density.tokensPerExchange - 80) < 25)
    }

    @Test("few calls give one figure, fewer none, and shrinking inputs do not count")
    func few() throws {
        let line = { (bytes: Double, tokens: Double) in
            TokenDensity.Growth(bytes: bytes, exchanges: 1, tokens: tokens)
        }
        let density = try #require(TokenDensity(fitting: [line(1_000, 250), line(2_000, 500), line(400, 100)]))
        #expect(abs(density.bytesPerToken - 4) < 0.001)
        #expect(density.tokensPerExchange == 0)
        #expect(TokenDensity(fitting: [line(1_000, 250), line(2_000, 500)]) == nil)
        #expect(TokenDensity(fitting: [line(1_000, 250), line(2_000, 500), line(400, -100)]) == nil)
        #expect(TokenDensity(fitting: []) == nil)
    }

    @Test("figures stay within what tokenizers do, whatever a log claims")
    func bounds() throws {
        let wild = (1...10).map { TokenDensity.Growth(bytes: Double($0) * 1e6, exchanges: 0, tokens: 1) }
        #expect(try #require(TokenDensity(fitting: wild)).bytesPerToken == 12)
        let dense = (1...10).map { TokenDensity.Growth(bytes: 1, exchanges: 1, tokens: Double($0) * 1e9) }
        let density = try #require(TokenDensity(fitting: dense))
        #expect(density.bytesPerToken == 1)
        #expect(density.tokensPerExchange == 0)
    }
}
