internal import Configuration
public import System
import TOMLKit

extension PriceTable {
    /// Reads a table from TOML text.
    ///
    /// ```toml
    /// as_of = "2026-11-05"
    ///
    /// [models."my-own-model"]
    /// input = 1.0
    /// output = 4.0
    /// cache_read = 0.1
    /// ```
    /// - Parameter path: Path named in errors.
    public init(toml: String, path: String = "prices") throws(Problem) {
        let root: TOMLTable
        do { root = try TOMLDocument(toml).root } catch {
            throw Problem.prices(path: path, line: error.line, "invalid TOML: \(error.words)")
        }
        self.init(asOf: root["as_of"]?.string, source: root["source"]?.string)
        guard let models = root["models"] else { return }
        guard let models = models.table else {
            throw Problem.prices(path: path, "`models` is not a table")
        }
        for name in models.keys {
            guard let entry = models[name]?.table else {
                throw Problem.prices(path: path, "the price of \(name) is not a table")
            }
            prices[name] = try Price(entry, model: name, path: path)
        }
    }

    /// Reads the file of a user.
    public init(contentsOf path: String) throws(Problem) {
        try self.init(toml: SmallFile.text(path, limit: 1 << 22), path: path)
    }
}

extension Problem {
    /// An error in a price table; the remedy describes a valid entry.
    fileprivate static func prices(path: String, line: Int? = nil, _ problem: String) -> Problem {
        Problem(
            .invalid, path, line: line, problem,
            remedy: "Write a price as [models.\"name\"] with input, output, "
                + "and optionally cache_read, cache_write, and cache_write_1h, in US dollars per million tokens.")
    }
}

extension PriceTable.Price {
    fileprivate init(_ table: TOMLTable, model: String, path: String) throws(Problem) {
        let known = ["input", "output", "cache_read", "cache_write", "cache_write_1h", "long_context", "above"]
        for key in table.keys where !known.contains(key) {
            throw Problem.prices(path: path, "the price of \(model) has an unknown key `\(key)`")
        }
        func figure(_ key: String) throws(Problem) -> Double? {
            guard let value = table[key] else { return nil }
            guard let figure = value.double ?? value.int.map(Double.init), figure.isFinite, figure >= 0 else {
                throw Problem.prices(path: path, "`\(key)` of \(model) is not a price")
            }
            return figure
        }
        guard let input = try figure("input"), let output = try figure("output") else {
            throw Problem.prices(path: path, "the price of \(model) must include both input and output")
        }
        self.init(
            input: input, output: output, cacheRead: try figure("cache_read"), cacheWrite: try figure("cache_write"),
            longCacheWrite: try figure("cache_write_1h"))
        if let long = table["long_context"] {
            guard let long = long.table, let above = long["above"]?.int, above >= 0 else {
                throw Problem.prices(path: path, "`long_context` of \(model) is missing `above`")
            }
            longContext = PriceTable.LongContext(
                above: above, price: try PriceTable.Price(long, model: model, path: path))
        }
    }
}
