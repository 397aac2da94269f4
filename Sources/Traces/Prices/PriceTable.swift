public import LanguageModels

/// What models cost, by their identifiers: US dollars a million tokens.
///
/// A model is found by its exact identifier, or by what is left of it without a date (`claude-haiku-4-5-20251001`,
/// `gpt-4o-2024-08-06`, `claude-opus-4@20250514`). Nothing else is tried: a model that is not in the table has no
/// price, and a cost that needs a figure which the table lacks is not computed.
///
/// ```swift
/// let prices = PriceTable.builtIn
/// prices.cost(of: Usage(input: 1_000_000, output: 0), by: "gpt-4o")  // 2.5
/// prices.cost(of: Usage(input: 1_000_000, output: 0), by: "my-own")  // nil
/// ```
public struct PriceTable: Hashable, Sendable {
    /// Date of the prices, such as `2026-11-05`; `nil` if not recorded.
    public var asOf: String?
    /// Where they were read.
    public var source: String?
    package var prices: [String: Price]

    public init(asOf: String? = nil, source: String? = nil, prices: [String: Price] = [:]) {
        self.asOf = asOf
        self.source = source
        self.prices = prices
    }

    /// The identifiers with a price, sorted.
    public var models: [String] { prices.keys.sorted() }

    /// Returns the price of a model; `nil` if the table has none.
    public func price(of model: String) -> Price? {
        if let exact = prices[model] { return exact }
        guard let undated = Self.withoutDate(model) else { return nil }
        return prices[undated]
    }

    /// What a call cost, in US dollars.
    ///
    /// - Parameter longCacheWrite: How many of `usage.cacheWrite` were written to a cache that lives for an hour.
    /// - Returns: `nil` if the model, or a price that this usage needs, is not in the table. A call without tokens
    ///   costs nothing, whatever the model.
    public func cost(of usage: Usage, by model: String, longCacheWrite: Int = 0) -> Double? {
        if usage.total == 0, usage.cacheRead == 0, usage.cacheWrite == 0 { return 0 }
        return price(of: model)?.cost(of: usage, longCacheWrite: longCacheWrite)
    }

    /// Returns this table with the prices of another table added, which take precedence.
    public func overridden(by other: PriceTable) -> PriceTable {
        PriceTable(
            asOf: other.asOf ?? asOf, source: other.source ?? source,
            prices: prices.merging(other.prices) { _, theirs in theirs })
    }

    /// The identifier without a date at its end; `nil` if it has none.
    static func withoutDate(_ model: String) -> String? {
        let bytes = Array(model.utf8)
        func digits(_ range: Range<Int>) -> Bool {
            range.lowerBound > 0 && bytes[range].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        let end = bytes.count
        let dash = UInt8(ascii: "-")
        let compact = end - 8
        if compact > 1, digits(compact..<end), bytes[compact - 1] == dash || bytes[compact - 1] == UInt8(ascii: "@") {
            return String(decoding: bytes[..<(compact - 1)], as: UTF8.self)
        }
        let dashed = end - 10
        if dashed > 1, bytes[dashed - 1] == dash, bytes[dashed + 4] == dash, bytes[dashed + 7] == dash,
            digits(dashed..<(dashed + 4)), digits((dashed + 5)..<(dashed + 7)), digits((dashed + 8)..<end)
        {
            return String(decoding: bytes[..<(dashed - 1)], as: UTF8.self)
        }
        return nil
    }
}

extension PriceTable {
    /// One model's price in US dollars a million tokens.
    public struct Price: Hashable, Sendable {
        /// Of input that neither came from a cache nor was written to one.
        public var input: Double
        public var output: Double
        public var cacheRead: Double?
        /// Of input written to a cache that lives for minutes.
        public var cacheWrite: Double?
        /// Of input written to a cache that lives for an hour.
        public var longCacheWrite: Double?
        /// What a call costs as a whole when its input is longer than a threshold.
        public var longContext: LongContext?

        public init(
            input: Double, output: Double, cacheRead: Double? = nil, cacheWrite: Double? = nil,
            longCacheWrite: Double? = nil, longContext: LongContext? = nil
        ) {
            self.input = input
            self.output = output
            self.cacheRead = cacheRead
            self.cacheWrite = cacheWrite
            self.longCacheWrite = longCacheWrite
            self.longContext = longContext
        }

        /// cost = ((input - read - write) * p_in + read * p_read + write * p_write + output * p_out) / 1,000,000
        func cost(of usage: Usage, longCacheWrite long: Int) -> Double? {
            if let longContext, usage.input > longContext.above {
                return longContext.price.cost(of: usage, longCacheWrite: long)
            }
            let long = min(max(0, long), usage.cacheWrite)
            let fresh = max(0, usage.input - usage.cacheRead - usage.cacheWrite)
            var total = Double(fresh) * input + Double(usage.output) * output
            for (tokens, price) in [
                (usage.cacheRead, cacheRead), (usage.cacheWrite - long, cacheWrite), (long, longCacheWrite),
            ] where tokens > 0 {
                guard let price else { return nil }
                total += Double(tokens) * price
            }
            return total / 1_000_000
        }
    }

    /// The price of calls with a long input.
    public struct LongContext: Hashable, Sendable {
        /// Number of input tokens, including cached ones, above which the price applies.
        public var above: Int
        private var boxed: [Price]

        public init(above: Int, price: Price) {
            self.above = above
            boxed = [price]
        }

        public var price: Price { boxed[0] }
    }
}
