internal import Interpretability
internal import JSON

extension FeatureChanges {
    /// The changes as saved: `[{"feature": 417, "off": true}, {"feature": 23, "scale": 4}]`.
    var json: String {
        var json = JSONWriter()
        json.array { json in
            for feature in features {
                json.object {
                    $0.member("feature", feature)
                    switch self[feature] {
                    case .off: $0.member("off", true)
                    case .scale(let factor): $0.member("scale", Double(factor))
                    case .set(let value): $0.member("set", Double(value))
                    case nil: break
                    }
                }
            }
        }
        return json.text
    }

    /// Reads saved changes.
    ///
    /// - Parameter count: Number of features of the dictionary; changes of others are left out.
    init(json text: String, features count: Int) {
        self.init()
        for element in (try? JSONValue(json: text))?.elements ?? [] {
            guard let feature = element["feature"]?.int, (0..<count).contains(feature) else { continue }
            func number(_ key: String) -> Float? {
                element[key]?.double.map(Float.init).flatMap { $0.isFinite ? $0 : nil }
            }
            let change =
                element["off"]?.bool == true
                ? .off : number("scale").map { .scale($0) } ?? number("set").map(Change.set)
            if let change { set(change, of: feature) }
        }
    }
}
