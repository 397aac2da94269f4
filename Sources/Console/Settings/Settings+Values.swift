internal import Configuration

extension Settings {
    /// Name of the color theme.
    public var theme: String { text(.theme) }
    /// Number of colors.
    public var color: ColorDepth.Choice { ColorDepth.Choice(rawValue: text(.color)) ?? .automatic }
    /// Whether drawing is limited to ASCII.
    public var isASCII: Bool { flag(.ascii) }
    /// Whether the mouse is used.
    public var readsMouse: Bool { flag(.mouse) }
    /// Whether pasted text is treated as text, not keys.
    public var bracketsPaste: Bool { flag(.paste) }
    /// Policy for synchronized output.
    public var synchronizedOutput: Terminal.SynchronizedOutput {
        Terminal.SynchronizedOutput(rawValue: text(.synchronizedOutput)) ?? .automatic
    }
    /// Time to wait after Esc for the rest of a sequence, in milliseconds.
    public var escapeDelay: Int { integer(.escapeDelay) }

    /// Terminal options according to the settings.
    public var terminalOptions: Terminal.Options {
        var options = Terminal.Options()
        options.color = color
        options.ascii = isASCII
        options.mouse = readsMouse
        options.bracketedPaste = bracketsPaste
        options.synchronizedOutput = synchronizedOutput
        options.escapeDelay = escapeDelay
        options.log = LogFile.path
        return options
    }

    /// Returns the text of a setting; empty if its value is not text.
    public func text(_ definition: SettingDefinition) -> String {
        if case .text(let value) = self[definition].value { value } else { "" }
    }

    private func flag(_ definition: SettingDefinition) -> Bool { self[definition].value == .flag(true) }

    private func integer(_ definition: SettingDefinition) -> Int {
        if case .integer(let value) = self[definition].value { value } else { 0 }
    }

    /// Returns a `config.toml` that explains every setting and contains its default, commented out.
    public static func template(of definitions: [SettingDefinition] = SettingDefinition.terminal) -> String {
        var text = "# Orrery settings. All settings are optional.\n"
        for definition in definitions {
            let variables = definition.environment.map(\.name).joined(separator: ", ")
            text += "\n# \(definition.summary)\n"
            if definition.kind != .text { text += "# Value: \(definition.expectation).\n" }
            if !variables.isEmpty { text += "# Environment: \(variables).\n" }
            text += "# \(definition.key) = \(definition.defaultValue.toml)\n"
        }
        return text + """

            # Keys by panel and action; :keys lists the actions of a panel. "none" leaves an action without a key.
            # [keys.traces]
            # play = "space"
            # next-error = ["]e", "ctrl-e"]

            """
    }
}
