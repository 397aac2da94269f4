internal import JSON

extension FeatureChanges {
    /// As the workspace keeps them: `[{"feature": 417, "off": true}, {"feature": 23, "scale": 4}]`.
    var json: String {
        var json = JSONWriter()
        json.array { json in
            for feature in features {
                json.object {
                    $0.member("feature", feature)
                    switch self[feature] {
                    case .off: $0.member("off", true)
                    case .scaled(let factor): $0.member("scale", Double(factor))
                    case .set(let value): $0.member("set", Double(value))
                    case nil: break
                    }
                }
            }
        }
        return json.text
    }

    /// - Parameter count: Features of the dictionary; others are left out.
    init(json text: String, features count: Int) {
        self.init()
        guard let document = try? JSONDocument(parsing: text) else { return }
        document.withRoot { root in
            for element in root.elements {
                guard let feature = element["feature"]?.int.flatMap({ Int(exactly: $0) }),
                    (0..<count).contains(feature)
                else { continue }
                if element["off"]?.bool == true {
                    set(.off, of: feature)
                } else if let factor = element["scale"]?.double.map(Float.init), factor.isFinite {
                    set(.scaled(factor), of: feature)
                } else if let value = element["set"]?.double.map(Float.init), value.isFinite {
                    set(.set(value), of: feature)
                }
            }
        }
    }
}
