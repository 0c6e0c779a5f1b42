/** Whether a text leads to a page of the web or to a mailbox. A script is no address. */
export const isAddress = (text: string): boolean => /^(?:https?:\/\/\S|mailto:\S)/i.test(text);
