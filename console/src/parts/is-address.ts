/** Whether a text is a web or mailto link. Script URLs are rejected. */
export const isAddress = (text: string): boolean => /^(?:https?:\/\/\S|mailto:\S)/i.test(text);
