internal import Configuration

extension TrainingConfiguration {
    /// A configuration file with every key, its default, and a comment that explains it.
    public static var explained: String { explained(rules: .standard) }

    /// Returns a configuration file with every key of a program with these optimizers.
    public static func explained(rules: UpdateRules) -> String {
        ConfigurationKey.settings(rules).explained(
            ["# A training run: orrery train THIS_FILE. Every key except data.train is optional."], column: 32)
    }

    /// Equal for configurations whose curves are the same: names, folders, what is recorded and how long it goes on are
    /// left out of it.
    package var digest: UInt64 {
        var digest = Digest()
        for setting in settings where setting.shapesCurve {
            digest.update(setting.name)
            digest.update(setting.value)
        }
        return digest.value
    }

    /// The keys that shape the curve and say something else than those of an earlier run.
    package func differences(to earlier: [String: String]) -> [String] {
        settings.filter { $0.shapesCurve && earlier[$0.name] != $0.value }.map(\.name)
    }
}
