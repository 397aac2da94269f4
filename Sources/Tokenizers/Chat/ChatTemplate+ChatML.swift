extension ChatTemplate {
    /// A plain form for models that come without a template: ChatML without tools. A model that was not trained with it
    /// reads it as best it can, so say that it is a fallback (``isFallback``) wherever it is used.
    public static let chatML: ChatTemplate = {
        let source = """
            {%- for message in messages -%}
            <|im_start|>{{ message.role }}
            {% if message.content is string %}{{ message.content }}{% else %}
            {%- for part in message.content if part.type == 'text' %}{{ part.text }}{% endfor %}
            {%- endif %}<|im_end|>
            {% endfor -%}
            {%- if add_generation_prompt -%}
            <|im_start|>assistant
            {% endif -%}
            """
        do {
            return try ChatTemplate(source: source, limits: Jinja.Limits(), isFallback: true)
        } catch {
            // It is constant, and a test renders it.
            return ChatTemplate(empty: source)
        }
    }()
}
