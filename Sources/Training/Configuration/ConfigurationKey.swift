internal import Configuration

/// A configuration key and its effect on a run.
struct ConfigurationKey: Sendable {
    let setting: SettingKey
    /// Whether the value affects the loss curve. A run cannot resume from a checkpoint with a different value.
    let shapesCurve: Bool
    /// Name of the only optimizer that the key applies to; `nil` if it applies to all.
    ///
    /// Runs with another optimizer exclude the key from their digests.
    let optimizer: String?

    init(
        _ name: String, _ kind: SettingKind, _ standard: SettingValue, _ summary: String, shapesCurve: Bool = true,
        optimizer: String? = nil
    ) {
        setting = SettingKey(name, kind, standard, summary)
        self.shapesCurve = shapesCurve
        self.optimizer = optimizer
    }
}
