internal import JSON

/// Members of a config.json, checked as they are read.
struct ConfigurationNode {
    let node: JSONNode
    let path: String

    /// Sizes beyond these are damage, or an attempt to take all memory.
    static let maximumLayers = 4096
    static let maximumSize = 1 << 26

    subscript(_ key: String) -> ConfigurationNode? {
        node.member(named: key).flatMap { $0.isNull ? nil : ConfigurationNode(node: $0, path: path) }
    }

    func has(_ key: String) -> Bool { node.member(named: key) != nil }

    func string(_ key: String) -> String? { self[key]?.node.string }
    func bool(_ key: String) -> Bool? { self[key]?.node.bool }
    func double(_ key: String) -> Double? { self[key]?.node.double }
    func float(_ key: String) -> Float? { double(key).map { Float($0) } }
    func int(_ key: String) -> Int? { self[key]?.node.lenientInt.flatMap { Int(exactly: $0) } }

    func floats(_ key: String) -> [Float]? {
        guard let list = self[key], list.node.kind == .array else { return nil }
        return list.node.elements.map { Float($0.double ?? .nan) }
    }

    /// A whole number from 1 up to a limit, under the first of its names that is there.
    func size(_ keys: String..., limit: Int = Self.maximumSize, default fallback: Int? = nil) throws(ModelError) -> Int
    {
        for key in keys {
            guard let member = self[key] else { continue }
            guard let value = int(key), value > 0, value <= limit else {
                throw member.failure("\(key) must be a number from 1 to \(limit)")
            }
            return value
        }
        if let fallback { return fallback }
        throw failure("\(keys[0]) is missing")
    }

    func failure(_ problem: String, remedy: String = "Download config.json again.") -> ModelError {
        ModelError(path, offset: node.byteRange.lowerBound, problem: problem, remedy: remedy)
    }
}
