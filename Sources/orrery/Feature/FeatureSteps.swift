import Console
import FeatureLab

/// What a person may do next with a dictionary: each command names the one that follows it.
enum FeatureSteps {
    static func added(_ record: FeatureDictionary) -> String {
        "orrery feature index \(name(record)) --texts FILE finds what its features fire on"
    }

    static func indexed(_ record: FeatureDictionary) -> String {
        "orrery feature search \(name(record)) --prompt TEXT finds those of a text, --token WORD those of a word"
    }

    /// - Parameter unknown: what cannot be told without an index.
    static func index(_ record: FeatureDictionary, unknown: String) -> String {
        "\(unknown) is not known before there is an index; \(added(record))"
    }

    static func shown(_ record: FeatureDictionary, _ row: FeatureRow) -> String {
        "orrery feature show \(name(record)) \(row.feature) tells what it fires on; \(indexed(record))"
    }

    static func found(_ record: FeatureDictionary, _ row: FeatureRow) -> String {
        let value = (row.maximum ?? 0) > 0 ? "1x" : "VALUE"
        return "orrery feature show \(name(record)) \(row.feature) tells what it fires on; orrery feature steer "
            + "\(name(record)) --set \(row.feature)=\(value) -p TEXT lets it speak"
    }

    static func labels(_ record: FeatureDictionary) -> String {
        "\(name(record)) has no labels: orrery feature import \(name(record)) FILE takes Neuronpedia's, orrery feature "
            + "label \(name(record)) FEATURE TEXT says one"
    }

    private static func name(_ record: FeatureDictionary) -> String { Printable.line(record.name) }
}
