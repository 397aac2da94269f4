internal import Console
internal import Glibc

extension Shell {
    /// Sends a key to the frontmost box.
    func press(_ key: Key, in dialog: any Dialog) {
        var dialog = dialog
        settle(dialog.press(key), of: dialog)
    }

    func paste(_ text: String, into dialog: any Dialog) {
        var dialog = dialog
        settle(dialog.paste(text), of: dialog)
    }

    func click(_ point: Point, in dialog: any Dialog) {
        var dialog = dialog
        settle(dialog.click(at: point, in: Rect(size)), of: dialog)
    }

    private func settle(_ outcome: DialogOutcome, of dialog: any Dialog) {
        needsDrawing = true
        switch outcome {
        case .stays: overlay = .dialog(dialog)
        case .refused(let reason):
            overlay = .dialog(dialog)
            notify(reason, .warning)
        case .closes(let action):
            overlay = nil
            action()
        }
    }

    // MARK: What panels ask for

    func begin(_ request: ChoiceRequest<any Sendable>, of panel: Int) {
        let typed = request.acceptTyped ?? { request.accept([$0]) }
        overlay = .dialog(
            ChooserDialog(
                chooser: request.chooser, accept: { [unowned self] in tell(request.accept($0), to: panel) },
                typed: { [unowned self] in tell(typed($0), to: panel) },
                cancelled: { [unowned self] in tell(request.cancelled, to: panel) }))
    }

    func begin(_ request: FormRequest<any Sendable>, of panel: Int) {
        let engine = engine
        overlay = .dialog(
            FormDialog(
                form: request.form,
                // Run as a job, so that a slow folder does not delay reads for the screen.
                complete: { text in
                    engine.run(.job) {
                        engine.post(.completed(text: text, candidates: PathCompletion.candidates(text)))
                    }
                },
                accept: { [unowned self] in tell(request.accept($0), to: panel) },
                cancelled: { [unowned self] in tell(request.cancelled, to: panel) }))
    }

    func begin(_ question: Question<any Sendable>, of panel: Int) {
        overlay = .dialog(
            QuestionDialog(question: { question }, accept: { [unowned self] in tell($0, to: panel) }))
    }

    func begin(_ request: FileRequest<any Sendable>, of panel: Int) {
        let home = PathCompletion.expanded("~")
        let start = request.folder.map(PathCompletion.expanded) ?? FolderReading.currentFolder
        let browser = FileBrowser(
            request.title, selectable: request.wanted, folder: start, home: home, now: clock(),
            isExpected: request.isExpected)
        let engine = engine
        overlay = .dialog(
            FileDialog(
                browser: browser,
                read: { folder in
                    engine.run(.read) { engine.post(.listed(FolderReading.listing(of: folder))) }
                },
                preview: { path in
                    engine.run(.read) {
                        engine.post(.filePreview(path: path, lines: FolderReading.preview(of: path)))
                    }
                },
                accept: { [unowned self] in tell(request.accept($0), to: panel) },
                cancelled: { [unowned self] in tell(request.cancelled, to: panel) }))
        engine.run(.read) { engine.post(.listed(FolderReading.listing(of: start))) }
    }

    private func tell(_ answer: (any Sendable)?, to panel: Int) {
        if let answer { perform(panels[panel].answer(answer), for: panel) }
    }

    // MARK: What the engine read for dialogs

    func show(_ listing: FileBrowser.Listing) {
        guard case .dialog(var dialog as FileDialog) = overlay else { return }
        dialog.browser.show(listing)
        dialog.wantPreview()
        overlay = .dialog(dialog)
        // The engine's result arrives without a key press.
        needsDrawing = true
    }

    func complete(_ text: String, with candidates: [String]) {
        guard case .dialog(var dialog as FormDialog) = overlay else { return }
        dialog.form.complete(text, with: candidates)
        overlay = .dialog(dialog)
        needsDrawing = true
    }

    func show(preview lines: [String], of path: String) {
        guard case .dialog(var dialog as FileDialog) = overlay, dialog.browser.missingPreview == path else { return }
        dialog.browser.show(preview: lines, of: path)
        overlay = .dialog(dialog)
        needsDrawing = true
    }
}
