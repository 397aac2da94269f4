public import Workspace

extension FeatureLab {
    /// What `orrery workspace check` looks at in the tables of features.
    public static let checks = ["state", "text", "record", "token", "import"].map {
        Check.payloads(of: "feature_\($0)", column: "data")
    }
}
