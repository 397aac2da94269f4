internal import Configuration
import Glibc
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
    public init(toml: String, path: String = "prices") throws(PriceTableError) {
        let root: TOMLTable
        do { root = try TOMLDocument(toml).root } catch {
            throw PriceTableError(path: path, line: error.line, problem: "invalid TOML: \(error.words)")
        }
        self.init(asOf: root["as_of"]?.string, source: root["source"]?.string)
        guard let models = root["models"] else { return }
        guard let models = models.table else {
            throw PriceTableError(path: path, problem: "`models` is not a table")
        }
        for name in models.keys {
            guard let entry = models[name]?.table else {
                throw PriceTableError(path: path, problem: "the price of \(name) is not a table")
            }
            prices[name] = try Price(entry, model: name, path: path)
        }
    }

    /// Reads the file of a user.
    public init(contentsOf path: String) throws(PriceTableError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PriceTableError(path: path, problem: String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw PriceTableError(path: path, problem: String(cString: strerror(errno)))
            }
            if count == 0 { break }
            bytes += chunk[..<count]
            if bytes.count > 1 << 22 { throw PriceTableError(path: path, problem: "the file exceeds 4 MiB") }
        }
        try self.init(toml: String(decoding: bytes, as: UTF8.self), path: path)
    }
}

/// Why a price table could not be read.
public struct PriceTableError: Error, Hashable, Sendable {
    public var path: String
    public var line: Int?
    public var problem: String

    init(path: String, line: Int? = nil, problem: String) {
        self.path = path
        self.line = line
        self.problem = problem
    }

    /// What is wrong, where, and what a right entry looks like.
    public var sentence: String {
        let place = line.map { "\(path), line \($0)" } ?? path
        return "\(place): \(problem). Write a price as [models.\"name\"] with input, output, "
            + "and optionally cache_read, cache_write, and cache_write_1h, in US dollars per million tokens."
    }
}

extension PriceTable.Price {
    fileprivate init(_ table: TOMLTable, model: String, path: String) throws(PriceTableError) {
        let known = ["input", "output", "cache_read", "cache_write", "cache_write_1h", "long_context", "above"]
        for key in table.keys where !known.contains(key) {
            throw PriceTableError(path: path, problem: "the price of \(model) has an unknown key `\(key)`")
        }
        func figure(_ key: String) throws(PriceTableError) -> Double? {
            guard let value = table[key] else { return nil }
            guard let figure = value.double ?? value.int.map(Double.init), figure.isFinite, figure >= 0 else {
                throw PriceTableError(path: path, problem: "`\(key)` of \(model) is not a price")
            }
            return figure
        }
        guard let input = try figure("input"), let output = try figure("output") else {
            throw PriceTableError(path: path, problem: "the price of \(model) must include both input and output")
        }
        self.init(
            input: input, output: output, cacheRead: try figure("cache_read"), cacheWrite: try figure("cache_write"),
            longCacheWrite: try figure("cache_write_1h"))
        if let long = table["long_context"] {
            guard let long = long.table, let above = long["above"]?.int, above >= 0 else {
                throw PriceTableError(path: path, problem: "`long_context` of \(model) is missing `above`")
            }
            longContext = PriceTable.LongContext(
                above: above, price: try PriceTable.Price(long, model: model, path: path))
        }
    }
}

extension PriceTableError: CustomStringConvertible {
    public var description: String { sentence }
}
