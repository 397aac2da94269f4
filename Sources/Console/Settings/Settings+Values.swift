extension Settings {
    public var theme: String { text(.theme) }
    public var color: ColorDepth.Choice { ColorDepth.Choice(rawValue: text(.color)) ?? .automatic }
    public var isASCII: Bool { boolean(.ascii) }
    public var readsMouse: Bool { boolean(.mouse) }
    public var bracketsPaste: Bool { boolean(.paste) }
    public var synchronizedOutput: Terminal.SynchronizedOutput {
        Terminal.SynchronizedOutput(rawValue: text(.synchronizedOutput)) ?? .automatic
    }
    /// In milliseconds.
    public var escapeDelay: Int { integer(.escapeDelay) }

    /// How to take the terminal.
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

    /// The text that a setting says; empty where it is no text.
    public func text(_ definition: SettingDefinition) -> String {
        if case .text(let value) = self[definition].value { value } else { "" }
    }

    private func boolean(_ definition: SettingDefinition) -> Bool { self[definition].value == .boolean(true) }

    private func integer(_ definition: SettingDefinition) -> Int {
        if case .integer(let value) = self[definition].value { value } else { 0 }
    }

    /// A `config.toml` that says what is built in, with every setting explained: the documentation of all of them.
    public static func template(of definitions: [SettingDefinition] = SettingDefinition.terminal) -> String {
        var text = "# Settings of orrery. All of them may be left out.\n"
        for definition in definitions {
            let variables = definition.environment.map(\.name).joined(separator: ", ")
            text += "\n# \(definition.summary)\n"
            if definition.kind != .text { text += "# Takes \(definition.wants).\n" }
            if !variables.isEmpty { text += "# In the environment: \(variables).\n" }
            text += "# \(definition.key) = \(definition.standard.toml)\n"
        }
        return text + """

            # Keys, by panel and action; the names of both are in the help (?). "none" leaves an action without a key.
            # [keys.traces]
            # play = "space"
            # next-error = ["]e", "ctrl-e"]

            """
    }
}
