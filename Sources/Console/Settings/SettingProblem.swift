/// Something in the settings that is wrong, and was passed over.
public struct SettingProblem: Error, Hashable, Sendable {
    /// The file, or what else it stands in: a variable's name, "the command line".
    public let place: String
    /// The line of the file, from 1; nil where no line is to blame.
    public let line: Int?
    /// What is wrong and what would be right.
    public let text: String

    package init(place: String, line: Int? = nil, _ text: String) {
        self.place = place
        self.line = line
        self.text = text
    }

    /// The sentence with the file's name alone, for a footer: "config.toml:3: ...".
    public var brief: String {
        line.map { "\(place.split(separator: "/").last ?? ""):\($0): \(text)" } ?? sentence
    }

    /// For a person: "/home/ada/.config/orrery/config.toml:3: ...".
    public var sentence: String {
        line.map { "\(place):\($0): \(text)" } ?? "\(place): \(text)"
    }
}
