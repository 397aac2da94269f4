import CommandSupport
import Console
import FeatureLab

/// Next steps with a dictionary: each command suggests the next one.
enum FeatureSteps {
    static func added(_ record: FeatureDictionary) -> String {
        "To index what activates its features, run: orrery feature index \(name(record)) --texts FILE"
    }

    static func indexed(_ record: FeatureDictionary) -> String {
        "To find features, run: orrery feature search \(name(record)) --prompt TEXT (or --token WORD)"
    }

    /// - Parameter unknown: Property that is unknown without an index.
    static func index(_ record: FeatureDictionary, unknown: String) -> String {
        "\(unknown) is unknown without an index. \(added(record))"
    }

    static func shown(_ record: FeatureDictionary, _ row: FeatureRow) -> String {
        "Details: orrery feature show \(name(record)) \(row.feature). \(indexed(record))"
    }

    static func found(_ record: FeatureDictionary, _ row: FeatureRow) -> String {
        let value = (row.maximum ?? 0) > 0 ? "1x" : "VALUE"
        return
            "Details: orrery feature show \(name(record)) \(row.feature). To steer with it, run: orrery feature steer "
            + "\(name(record)) --set \(row.feature)=\(value) -p TEXT"
    }

    static func labels(_ record: FeatureDictionary) -> String {
        "\(name(record)) has no labels. Import Neuronpedia labels with orrery feature import \(name(record)) FILE, "
            + "or add one with orrery feature label \(name(record)) FEATURE TEXT"
    }

    private static func name(_ record: FeatureDictionary) -> String { Printable.line(record.name) }
}
