internal import GRDB
internal import Interpretability
internal import JSON
internal import System

extension FeatureStore {
    /// What F and d may be.
    static let sizes = 1...1 << 24

    static func check(_ description: FeatureDictionary.Description) throws {
        try checkName(description.name)
        try checkJSON(description.metrics, "the metrics")
        guard sizes.contains(description.featureCount), sizes.contains(description.width) else {
            throw Problem(
                .invalid, "dictionary \(description.name)",
                "\(description.featureCount) features of width \(description.width) are out of range",
                remedy: "Both must be 1 to 16,777,216.")
        }
    }

    static func checkName(_ name: String) throws(Problem) {
        guard (1...200).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }),
            name.first != " ", name.last != " "
        else {
            throw Problem(
                .invalid, "dictionary name", "expected 1 to 200 bytes without control characters or outer spaces",
                remedy: "Use a different name.")
        }
    }

    static func checkJSON(_ text: String, _ what: String) throws(Problem) {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: text)
        } catch {
            throw Problem(.invalid, what, "not valid JSON", remedy: error.sentence)
        }
    }

    static func refuseTaken(_ name: String, _ db: Database) throws {
        let taken = try Int64.fetchOne(
            db, sql: "SELECT id FROM feature_dictionary WHERE name = ?", arguments: [name])
        if taken != nil {
            throw Problem(.invalid, "dictionary \(name)", "already in the workspace", remedy: "Use a different name.")
        }
    }
}
