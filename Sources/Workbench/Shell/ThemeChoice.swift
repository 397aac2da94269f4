internal import Console

/// The outcome of choosing a theme by name: the theme, and whether the choice was saved. Making one reads and writes
/// files.
struct ThemeChoice: Sendable {
    /// The name that leaves the theme to the terminal.
    static let automatic = "auto"

    /// The theme to draw with; nil if the name means none, or if the terminal decides at the next start.
    var theme: Theme?
    var sentence: String
    var severity: Severity

    /// - Parameters:
    ///   - path: the settings file to save the choice in; nil saves nothing.
    ///   - origin: where the theme in effect at the start came from.
    init(_ name: String, savedIn path: String?, origin: Settings.Origin) {
        do {
            theme = try Themes.named(name)
        } catch {
            (sentence, severity) = ("\(error)", .failure)
            return
        }
        if let problem = Themes.problem(with: name) {
            (sentence, severity) = (problem, .warning)
            return
        }
        let chosen = name == Self.automatic ? "Theme auto: the terminal decides at the next start" : "Theme \(name)"
        guard let path else {
            (sentence, severity) = ("\(chosen). Settings are saved only in a terminal.", .information)
            return
        }
        if let problem = Settings.save(.theme, as: .text(name), in: path) {
            sentence = name == Self.automatic ? problem : "Theme \(name) until you leave: \(problem)"
            severity = .warning
        } else if case .environment(let variable) = origin {
            sentence = "\(chosen). Saved in \(path), but \(variable) overrides it at the next start."
            severity = .warning
        } else {
            (sentence, severity) = ("\(chosen). Saved in \(path).", .success)
        }
    }
}
