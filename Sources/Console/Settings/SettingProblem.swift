/// A problem with the settings; the invalid setting is ignored.
public struct SettingProblem: Hashable, Sendable {
    /// File of the setting, name of its environment variable, or "command line".
    public let place: String
    /// Line in the file, starting at 1; `nil` if the problem has no line.
    public let line: Int?
    /// Message with the problem and a remedy.
    public let text: String

    package init(place: String, line: Int? = nil, _ text: String) {
        self.place = place
        self.line = line
        self.text = text
    }

    /// Message with the file name but without its folder, for the footer: "config.toml:3: ...".
    public var brief: String {
        line.map { "\(place.split(separator: "/").last ?? ""):\($0): \(text)" } ?? sentence
    }

    /// Message with the full path: "/home/ada/.config/orrery/config.toml:3: ...".
    public var sentence: String {
        line.map { "\(place):\($0): \(text)" } ?? "\(place): \(text)"
    }
}
