/// How many tokens text of one trace and model comes to, measured on the trace itself.
///
/// Most logs record how many tokens a call read; none records the tokens of each message. But from one call to the next
/// of the same conversation, the input grows by what was added in between, and what the first call read beyond its text
/// (system prompt, tool definitions) cancels out of the difference. So tokens are fitted to the added bytes:
///
///     tokens = bytes / bytesPerToken + exchanges · tokensPerExchange
///
/// An exchange is a tool call with its result: both are wrapped in tokens that no log shows. Models are fitted apart,
/// since they read the same text with different vocabularies. Calls to which something was added that is not in the log
/// would spoil a sum, so the line is robust: residuals count by their size up to 1.5 times the usual one and less beyond
/// (Huber 1964, by iteratively reweighted least squares), and long texts, which stray further, weigh less.
public struct TokenDensity: Hashable, Sendable {
    /// Bytes of UTF-8 a token.
    public var bytesPerToken: Double
    /// Tokens that a tool call and its result take beyond their texts.
    public var tokensPerExchange: Double
    /// Number of calls measured; 0 for the default density of English and code.
    public var samples: Int
    /// Median distance of those calls from the line, as a share of their tokens; 0 if nothing was measured.
    public var spread: Double

    /// Default density for English and code, used if a trace is too short to measure its own.
    public static let usual = TokenDensity(bytesPerToken: 4)

    package init(bytesPerToken: Double, tokensPerExchange: Double = 0, samples: Int = 0, spread: Double = 0) {
        self.bytesPerToken = bytesPerToken
        self.tokensPerExchange = tokensPerExchange
        self.samples = samples
        self.spread = spread
    }

    /// What was added from one call to the next, and what it came to.
    package struct Growth {
        package var bytes: Double
        package var exchanges: Double
        package var tokens: Double

        package init(bytes: Double, exchanges: Double, tokens: Double) {
            self.bytes = bytes
            self.exchanges = exchanges
            self.tokens = tokens
        }
    }

    /// With fewer growths than this the figure would be chance.
    static let fewestSamples = 3
    /// With fewer than this the price of an exchange cannot be told from that of its text.
    static let fewestForTwoFigures = 8
    /// More than this make the fit no better, only slower.
    static let mostSamples = 2_000

    /// Fits growths; `nil` if there are too few. O(samples log samples).
    package init?(fitting growths: [Growth]) {
        let usable = growths.filter { $0.tokens > 0 && $0.bytes > 0 }
        guard usable.count >= Self.fewestSamples else { return nil }
        let stride = (usable.count + Self.mostSamples - 1) / Self.mostSamples
        let samples = stride < 2 ? usable : usable.indices.filter { $0 % stride == 0 }.map { usable[$0] }
        let hasTwo = samples.count >= Self.fewestForTwoFigures
        var line = hasTwo ? RobustLine(fitting: samples, withExchanges: true) : nil
        if line.map({ $0.perExchange < 0 || $0.perExchange > 500 || $0.perByte <= 0 }) ?? true {
            line = RobustLine(fitting: samples, withExchanges: false)
        }
        guard let line, line.perByte > 0 else { return nil }
        // No tokenizer makes less than a token of twelve bytes, or more of one, on average.
        bytesPerToken = min(12, max(1, 1 / line.perByte))
        tokensPerExchange = line.perExchange
        self.samples = usable.count
        spread = 0
        let distances = samples.map { abs($0.tokens - tokens(bytes: $0.bytes, exchanges: $0.exchanges)) / $0.tokens }
        spread = distances.sorted()[distances.count / 2]
    }

    func tokens(bytes: Double, exchanges: Double) -> Double {
        bytes / bytesPerToken + exchanges * tokensPerExchange
    }
}

/// The line tokens = perByte · bytes + perExchange · exchanges through growths.
private struct RobustLine {
    var perByte = 0.0
    var perExchange = 0.0
    /// Bytes below which a text strays by as much however short it is.
    private static let shortText = 300.0

    /// Fits samples; `nil` if the growths do not determine the density.
    init?(fitting samples: [TokenDensity.Growth], withExchanges: Bool) {
        var robustness = [Double](repeating: 1, count: samples.count)
        for _ in 0..<12 {
            guard solve(samples, robustness, withExchanges) else { return nil }
            let distances = samples.map {
                abs($0.tokens - perByte * $0.bytes - perExchange * $0.exchanges) / Self.scale($0)
            }
            // The median distance of a normal distribution, times this, is its standard deviation.
            let deviation = 1.4826 * distances.sorted()[distances.count / 2]
            guard deviation > 0 else { return }
            for sample in samples.indices {
                robustness[sample] = min(1, 1.5 * deviation / max(distances[sample], 1e-9))
            }
        }
    }

    private static func scale(_ growth: TokenDensity.Growth) -> Double { (growth.bytes + shortText).squareRoot() }

    /// Weighted least squares by the normal equations.
    private mutating func solve(
        _ samples: [TokenDensity.Growth], _ robustness: [Double], _ withExchanges: Bool
    ) -> Bool {
        var (bb, bx, xx, bt, xt) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (sample, robust) in zip(samples, robustness) {
            let weight = robust / (sample.bytes + Self.shortText)
            bb += weight * sample.bytes * sample.bytes
            bx += weight * sample.bytes * sample.exchanges
            xx += weight * sample.exchanges * sample.exchanges
            bt += weight * sample.bytes * sample.tokens
            xt += weight * sample.exchanges * sample.tokens
        }
        guard bb > 0 else { return false }
        let determinant = bb * xx - bx * bx
        if withExchanges, determinant > 1e-9 * bb * max(xx, 1e-12) {
            perByte = (bt * xx - xt * bx) / determinant
            perExchange = (xt * bb - bt * bx) / determinant
        } else {
            perByte = bt / bb
            perExchange = 0
        }
        return true
    }
}
