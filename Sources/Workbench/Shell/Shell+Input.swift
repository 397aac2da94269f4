package import Console
internal import Presentation
internal import Workspace

extension Shell {
    /// Handles one event of the terminal.
    package func handle(_ event: InputEvent) {
        switch event {
        case .key(let key): press(key)
        case .paste(let text): paste(text)
        case .mouse(let mouse): click(mouse)
        case .resize(let size): resize(to: size)
        case .wake: drainEngine()
        case .resumed: needsDrawing = true
        case .terminate: requests.append(.quit(status: 143))
        case .hangup: requests.append(.quit(status: 129))
        case .background(let isDark): adopt(background: isDark)
        }
    }

    func resize(to size: Size) {
        self.size = size
        needsDrawing = true
        place()
    }

    private func press(_ key: Key) {
        needsDrawing = true
        dismissMessage()
        if follow(key) { return }
        switch overlay {
        case .line(let line): return edit(line, key)
        case .open(let menu): return choose(in: menu, key)
        case .pages(let menu): return press(key, in: menu)
        case .dialog(let dialog): return press(key, in: dialog)
        case .help(let help): return scroll(help, key)
        case .jobs(let menu): return choose(in: menu, key)
        case .messages(let text): return read(text, key)
        case nil: break
        }
        resolve(key)
    }

    /// Typed start of a key sequence, such as `]` or `g`.
    package var pendingKeys: String { panel.pendingKeys.isEmpty ? keymap.pendingText : panel.pendingKeys }

    /// Passes a key to the panel, and to the shell if the panel has no use for it.
    ///
    /// A key such as `g` may start sequences of both; the next key decides between them.
    func resolve(_ key: Key) {
        let (begun, inPanel, inShell) = (pendingKeys, !panel.pendingKeys.isEmpty, !keymap.pending.isEmpty)
        let mayBeShells = inShell || !inPanel
        switch inShell && !inPanel ? .unbound : panel.press(key) {
        case .done(let effects):
            keymap.cancelPending()
            perform(effects, for: current)
        case .refused(let reason):
            keymap.cancelPending()
            notify(reason, .warning)
        case .waits:
            var shared = keymap
            if mayBeShells, case .pending = shared.press(key) { keymap = shared } else { keymap.cancelPending() }
        case .unbound:
            switch mayBeShells ? keymap.press(key) : .unbound {
            case .action(let action): perform(action)
            case .pending: break
            // An unbound key ends the sequence and does nothing else.
            case .unbound:
                if begun.isEmpty || key.code != .escape { refuse("\(begun) \(KeyLabel.text([key]))".trimmed) }
            }
        }
        showPageMenu()
    }

    /// Removes the message of an earlier action.
    private func dismissMessage() {
        if toast?.wasSeen == true { toast = nil }
    }

    /// Reports keys without an action, once for each panel.
    private func refuse(_ keys: String) {
        guard refusedKeys.insert("\(panel.identifier) \(keys)").inserted else { return }
        notify("\(keys) has no action in \(panel.title). Press ? for its keys.", .information)
    }

    func perform(_ action: ShellAction) {
        if let reason = disabledReason(action) { return notify(reason, .warning) }
        switch action {
        case .place(let index): open(place: index)
        case .panel(let index): show(index)
        case .help: overlay = .help(helpView)
        case .commandLine: beginCommandLine()
        case .palette: showPalette()
        case .openElsewhere:
            guard let selection = panel.selection else { return notify("select something first", .warning) }
            offer(selection)
        case .back: goBack()
        case .cancelJob: askToStop()
        case .redraw: requests.append(.redraw)
        case .suspend: requests.append(.suspend)
        case .quit: quit()
        }
        needsDrawing = true
    }

    /// Newest job of the current panel; `x` never stops jobs of other panels.
    var ownJob: RunningJob? { jobs.last { $0.panel == current } }

    /// Returns the reason why an action is disabled, or `nil`.
    private func disabledReason(_ action: ShellAction) -> String? {
        guard action == .cancelJob, ownJob == nil else { return nil }
        return "\(panel.title) has no running job. Type :jobs for the jobs of all panels."
    }

    private func askToStop() {
        guard let ticket = ownJob?.ticket else { return }
        overlay = .dialog(
            QuestionDialog(
                question: { [unowned self] in
                    guard let running = jobs.first(where: { $0.ticket == ticket }) else { return nil }
                    return .stopping(running.title, progress: running.job?.standing, value: ticket)
                }, accept: { [unowned self] in stopJob($0) }))
    }

    private func stopJob(_ ticket: UInt64) {
        guard let index = jobs.firstIndex(where: { $0.ticket == ticket }) else { return }
        jobs[index].isCancelled = true
        jobs[index].handle?.cancellation.cancel()
        notify("\(jobs[index].title): stopping", .information)
    }

    private func paste(_ text: String) {
        needsDrawing = true
        switch overlay {
        case .line(let line):
            line.insert(text)
            line.noteChange()
        case .dialog(let dialog): paste(text, into: dialog)
        default: notify("Nothing to paste into. Press : first.", .information)
        }
    }

    private func click(_ mouse: Mouse) {
        needsDrawing = true
        if mouse.action == .press { dismissMessage() }
        guard overlay == nil else {
            guard mouse.action == .press else { return }
            if case .dialog(let dialog) = overlay { return click(mouse.point, in: dialog) }
            if case .pages(let menu) = overlay { return click(mouse.point, in: menu) }
            if case .line(let line) = overlay { line.cancelled() }
            return overlay = nil
        }
        if mouse.point.row == 0, mouse.action == .press, let target = titleBar.target(at: mouse.point, in: titleArea) {
            return target.page.map { show(places[target.tab].pages[$0]) } ?? open(place: target.tab)
        }
        var mouse = mouse
        // A drag that leaves the panel goes on at its edge.
        if mouse.action == .drag || mouse.action == .release { mouse.point = panelArea.nearest(to: mouse.point) }
        guard panelArea.contains(mouse.point) else { return }
        perform(panel.click(mouse), for: current)
    }

    // MARK: The line

    func begin(_ prompt: Prompt<any Sendable>, of panel: Int) {
        let changed: ((String) -> Void)? = prompt.live.map { live in
            { [unowned self] text in perform(panels[panel].answer(live(text)), for: panel) }
        }
        overlay = .line(
            LineOverlay(
                label: prompt.label, text: prompt.text, isProposal: prompt.isProposal, history: prompt.history,
                isHeadless: isHeadless, complete: prompt.complete, changed: changed,
                cancelled: { [unowned self] in
                    if let answer = prompt.cancelled { perform(panels[panel].answer(answer), for: panel) }
                },
                finished: { [unowned self] text in perform(panels[panel].answer(prompt.accept(text)), for: panel) }))
    }

    private func edit(_ line: LineOverlay, _ key: Key) {
        if line.touch(key) { return line.noteChange() }
        let state = line.editor.feed(key)
        switch state.outcome {
        case .editing: line.noteChange()
        case .finished(let text):
            overlay = nil
            line.finished(text)
        case .cancelled:
            overlay = nil
            line.cancelled()
        }
    }

    // MARK: Menus

    private func choose(in menu: OpenMenu, _ key: Key) {
        var menu = menu
        // The number of rows is unknown until the previews arrive, which then limit the selection.
        let last = menu.isWaiting ? panels.count : menu.rows.count - 1
        switch key.code {
        case .escape, .character("q"):
            menu.cancellation.cancel()
            return overlay = nil
        case .down, .character("j"): menu.selected = min(last, menu.selected + 1)
        case .up, .character("k"): menu.selected = max(0, menu.selected - 1)
        case .enter:
            if !menu.isWaiting { return choose(in: menu) }
            menu.isChosen = true
        default: break
        }
        overlay = .open(menu)
    }

    // MARK: Help and palette

    private func scroll(_ help: HelpView, _ key: Key) {
        var help = help
        let screen = Rect(size)
        switch key.code {
        case .escape, .enter, .character("q"), .character("?"): return overlay = nil
        case .character("t"): return beginTour()
        case .down, .character("j"): help.scroll(by: 1, in: screen)
        case .up, .character("k"): help.scroll(by: -1, in: screen)
        case .pageDown, .character(" "): help.scroll(by: 10, in: screen)
        case .pageUp: help.scroll(by: -10, in: screen)
        default: break
        }
        overlay = .help(help)
    }

    var helpView: HelpView {
        let commands = Command.allCases.map { HelpView.Entry(":\($0.rawValue)", $0.description) }
        return HelpView(
            "Keys of \(panel.title) ── t starts the tour",
            panel.help + HelpView.groups(of: keymap.bindings, disabled: disabledReason)
                + [HelpView.Group("Command line", commands)])
    }

    private func showPalette() {
        let own = keymap.bindings.map { binding in
            Choice(
                binding.description, group: binding.name, facts: [binding.label],
                disabledReason: disabledReason(binding.action), value: PaletteEntry.shell(binding.action))
        }
        // The palette also lists commands without a key; commands that are also actions, such as help, appear once.
        let names = Set(keymap.bindings.map(\.name))
        let commands = Command.allCases.filter { !names.contains($0.rawValue) }.map { command in
            Choice(
                command.description, group: command.rawValue, facts: [":\(command.rawValue)"],
                value: PaletteEntry.command(command.rawValue))
        }
        var chooser = Chooser("Actions", panel.paletteItems + own + commands)
        chooser.factRole = .key
        overlay = .dialog(
            ChooserDialog(
                chooser: chooser,
                accept: { [unowned self] in
                    switch $0[0] {
                    case .shell(let action): perform(action)
                    case .panel(let name):
                        if case .done(let effects) = panel.run(command: name) { perform(effects, for: current) }
                    case .command(let name): run(command: name)
                    }
                }))
    }
}
