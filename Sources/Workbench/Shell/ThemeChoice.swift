internal import Configuration
internal import Console
internal import Presentation

/// The outcome of choosing a theme by name: the theme, and whether the choice was saved. Its initializer reads and
/// writes files.
struct ThemeChoice: Sendable {
    /// Name that leaves the theme to the terminal.
    static let automatic = "auto"

    /// Theme to draw with; `nil` for an unknown name, or if the terminal decides at the next start.
    var theme: Theme?
    var sentence: String
    var severity: Severity

    /// Creates a choice and saves it.
    ///
    /// - Parameters:
    ///   - path: Settings file for the choice; `nil` saves nothing.
    ///   - origin: Source of the theme that was in effect at the start.
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
            (sentence, severity) = ("\(chosen). Settings are saved only when Orrery runs in a terminal.", .information)
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
